"""library"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("origin", sa.String(8), nullable=False, server_default="played"))
    for name, length in (("first_name", 100), ("second_name", 100), ("event", 100), ("date", 10), ("opening", 120)):
        op.add_column("games", sa.Column(name, sa.String(length), nullable=False, server_default=""))
    op.add_column("games", sa.Column("deleted", sa.DateTime(timezone=True), nullable=True))
    games = sa.table("games", sa.column("created", sa.DateTime), sa.column("date", sa.String))
    day = sa.func.substr(sa.cast(games.c.created, sa.String), 1, 10)
    op.execute(games.update().values(date=day))


def downgrade() -> None:
    for name in ("deleted", "opening", "date", "event", "second_name", "first_name", "origin"):
        op.drop_column("games", name)
