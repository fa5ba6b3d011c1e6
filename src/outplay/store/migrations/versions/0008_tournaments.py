"""tournaments"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("progress", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
    )
    op.create_index(op.f("ix_tournaments_owner"), "tournaments", ["owner"])
    op.add_column("games", sa.Column("tournament", sa.String(32), nullable=False, server_default=""))
    op.create_index(op.f("ix_games_tournament"), "games", ["tournament"])


def downgrade() -> None:
    op.drop_index(op.f("ix_games_tournament"), "games")
    op.drop_column("games", "tournament")
    op.drop_table("tournaments")
