# Names that the signatures in this folder use and that live in Python, for nanobind's stub generator.
__prefix__:
    \from outplay.outcome import Outcome, Side

# The methods of quick.hpp, which the stub generator cannot ask for their signatures.
connect4\.Position\.legal_moves:
    def legal_moves(self, *, side: Side | None = None) -> list[int]:
        \doc

connect4\.Position\.play:
    def play(self, move: int, /) -> Position:
        \doc

connect4\.Position\.outcome:
    def outcome(self) -> Outcome | None:
        \doc

checkers\.Position\.legal_moves:
    def legal_moves(self, *, side: Side | None = None) -> list[Move]:
        \doc

checkers\.Position\.play:
    def play(self, move: Move, /) -> Position:
        \doc

checkers\.Position\.outcome:
    def outcome(self) -> Outcome | None:
        \doc
