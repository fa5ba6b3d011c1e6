"""What all JSON types share: bounds, texts and numbers, and the two kinds of message."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

MAX_TIME_MS = 60_000
"""The longest thinking time per move a page may ask for."""
MAX_PLIES = 2_000
"""No game is longer: past it a game is refused more moves."""
MAX_TEXT = 4_000
"""The longest text that may be pasted as a position."""

GameName = Literal["connect4", "checkers"]
SideNumber = Literal[0, 1]
KnownBy = Literal["search", "solved", "table", "book"]
Verdict = Literal["win", "draw", "loss", "unclear"]

GameId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{4,32}$")]
PlayerName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,31}(:[a-z0-9][a-z0-9-]{0,31})?$")]
MoveText = Annotated[str, Field(min_length=1, max_length=64)]
Sentence = Annotated[str, Field(max_length=300)]
Title = Annotated[str, Field(max_length=60)]
Cell = Annotated[int, Field(ge=0, le=128)]
Cells = Annotated[list[Cell], Field(max_length=128)]
Board = Annotated[str, Field(min_length=16, max_length=128)]
Milliseconds = Annotated[int, Field(ge=0, le=24 * 3600 * 1000)]
Ply = Annotated[int, Field(ge=0, le=MAX_PLIES)]
Version = Annotated[int, Field(ge=0, le=2**31 - 1)]
Width = Annotated[int, Field(ge=4, le=25)]
Height = Annotated[int, Field(ge=4, le=31)]


class Answer(BaseModel):
    """What the server sends, every field always there."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)


class Request(BaseModel):
    """What the server accepts: these fields, of these types, and nothing else."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
