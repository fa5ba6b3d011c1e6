"""The server's log: plain lines for people, or one JSON object per line for programs."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Literal

LogForm = Literal["text", "json"]


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message, and the traceback of an error."""

    def format(self, record: logging.LogRecord) -> str:
        values = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            values["error"] = self.formatException(record.exc_info)
        return json.dumps(values, ensure_ascii=False)


def json_line(message: str) -> str:
    """Return the JSON line for an error that ends the program."""
    return JsonLines().format(logging.LogRecord("outplay", logging.CRITICAL, "", 0, message, None, None))


def set_up(form: LogForm) -> None:
    """Write the log to standard error in this form."""
    if form == "json":
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(JsonLines())
        logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
