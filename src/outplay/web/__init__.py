"""The web app: a server over `live` and `store`, and the pages it serves."""

from outplay.extras import require

require("app", "fastapi", "pydantic", "sqlalchemy", "uvicorn", "prometheus_client")
