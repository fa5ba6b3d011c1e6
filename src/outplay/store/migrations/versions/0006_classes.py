"""classes"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "classes",
        sa.Column("code", sa.String(8), nullable=False),
        sa.Column("teacher", sa.String(32), nullable=False),
        sa.Column("title", sa.String(60), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_classes")),
    )
    op.create_index(op.f("ix_classes_teacher"), "classes", ["teacher"])
    op.create_table(
        "pupils",
        sa.Column("code", sa.String(8), nullable=False),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("joined", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("code", "person", name=op.f("pk_pupils")),
    )
    op.create_index(op.f("ix_pupils_person"), "pupils", ["person"])
    op.add_column("games", sa.Column("class_code", sa.String(8), nullable=False, server_default=""))
    op.add_column("games", sa.Column("class_round", sa.Integer(), nullable=False, server_default="0"))
    op.create_index(op.f("ix_games_class_code"), "games", ["class_code"])


def downgrade() -> None:
    op.drop_index(op.f("ix_games_class_code"), "games")
    op.drop_column("games", "class_round")
    op.drop_column("games", "class_code")
    op.drop_table("pupils")
    op.drop_table("classes")
