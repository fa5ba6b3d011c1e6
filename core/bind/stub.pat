# Names that the signatures in this folder use and that live in Python, for nanobind's stub generator.
__prefix__:
    \from typing import ClassVar, overload
    \from outplay.outcome import Outcome, Side

# The methods of quick.hpp, which the stub generator cannot ask for their signatures.
connect4\.Position\.legal_moves:
    def legal_moves(self, *, side: Side | None = None) -> list[int]:
        \doc

connect4\.Position\.play$:
    def play(self, move: int, /) -> Position:
        \doc

connect4\.Position\.outcome:
    def outcome(self) -> Outcome | None:
        \doc

checkers\.Position\.legal_moves:
    def legal_moves(self, *, side: Side | None = None) -> list[Move]:
        \doc

checkers\.Position\.play$:
    def play(self, move: Move, /) -> Position:
        \doc

checkers\.Position\.outcome:
    def outcome(self) -> Outcome | None:
        \doc

# A number gives one position, anything else a smaller batch.
connect4\.Positions\.__getitem__:
    @overload
    def __getitem__(self, index: int, /) -> Position: ...
    @overload
    def __getitem__(self, index: slice | Sequence[int] | numpy.typing.NDArray[Any], /) -> Positions: ...

connect4\.Positions\.__hash__:
    __hash__: ClassVar[None]  # type: ignore[assignment]

# A number gives one position, anything else a smaller batch.
checkers\.Positions\.__getitem__:
    @overload
    def __getitem__(self, index: int, /) -> Position: ...
    @overload
    def __getitem__(self, index: slice | Sequence[int] | numpy.typing.NDArray[Any], /) -> Positions: ...

checkers\.Positions\.__hash__:
    __hash__: ClassVar[None]  # type: ignore[assignment]
