"""studies"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("study", sa.Text(), nullable=False, server_default=""))
    op.add_column("games", sa.Column("study_version", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    for name in ("study_version", "study"):
        op.drop_column("games", name)
