"""people"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

OF_PEOPLE = ("owner", "first_person", "second_person")


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
    )
    for name in OF_PEOPLE:
        op.add_column("games", sa.Column(name, sa.String(32), nullable=False, server_default=""))
        op.create_index(op.f(f"ix_games_{name}"), "games", [name])


def downgrade() -> None:
    for name in OF_PEOPLE:
        op.drop_index(op.f(f"ix_games_{name}"), "games")
        op.drop_column("games", name)
    op.drop_table("people")
