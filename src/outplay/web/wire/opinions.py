"""What a player thinks."""

from __future__ import annotations

from pydantic import Field

from outplay.web.wire.base import (
    MAX_PLIES,
    Answer,
    KnownBy,
    Milliseconds,
    MoveText,
    PlayerName,
    Ply,
    Sentence,
    SideNumber,
    Title,
    Verdict,
)


class OpinionLine(Answer):
    """One move as a player judges it."""

    move: MoveText
    label: str = Field(max_length=24, description='short: "+2", "-0.35", "= draw", "+ win in 5"')
    bar: float = Field(ge=-1, le=1, description="length and direction of its bar")
    verdict: Verdict = Field(description="for the side to move; `unclear` for an estimate near nothing")
    ends_in: int | None = Field(default=None, ge=0, le=MAX_PLIES, description="the winner's own moves")
    known_by: KnownBy = "search"
    moves: list[MoveText] = Field(default_factory=list, max_length=64, description="the expected line")


class Opinion(Answer):
    """What the player to move thought before it moved, or thinks now."""

    ply: Ply = Field(description="moves played when it was asked")
    side: SideNumber
    player: PlayerName
    title: Title
    lines: list[OpinionLine] = Field(max_length=64, description="best first; moves not judged are left out")
    liked: MoveText | None = Field(default=None, description="the move it thinks best")
    played: MoveText | None = Field(default=None, description="none while it is thinking")
    known_by: KnownBy = "search"
    depth: int = Field(ge=0, le=1_000)
    nodes: int = Field(ge=0, le=2**53)
    time_ms: Milliseconds
    verdict: Sentence = Field(default="", description='a proof in words: "Red wins in 8"; empty for a guess')
    remark: Sentence = Field(default="", description='"I liked 7-10 best, but played 15-19: level 2 slips."')
