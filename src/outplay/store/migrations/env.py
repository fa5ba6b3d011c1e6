"""Run by Alembic: apply the migrations over the given connection."""

from alembic import context

from outplay.store.models import Base

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True)
context.run_migrations()
