"""The terminal app, made with Textual: pages to play, analyse, learn, experiment and open saved games."""

from outplay.extras import require

require("tui", "textual", "sqlalchemy", "alembic")
