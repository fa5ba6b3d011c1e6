"""checksums and reviews"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("checksum", sa.String(16), nullable=False, server_default=""))
    op.add_column("games", sa.Column("study_checksum", sa.String(16), nullable=False, server_default=""))
    op.create_table(
        "reviews",
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("review", sa.Text(), nullable=False),
        sa.Column("saved", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_reviews")),
    )


def downgrade() -> None:
    op.drop_table("reviews")
    for name in ("study_checksum", "checksum"):
        op.drop_column("games", name)
