"""What a person may do in a game: people with a seat play, the one who made the game controls it, all others watch."""

from __future__ import annotations

from dataclasses import dataclass

from outplay.live import NotNowError
from outplay.outcome import Side
from outplay.store import SavedGame
from outplay.web.http.errors import NotYoursError


@dataclass(frozen=True, slots=True)
class Rights:
    """The rights of one person in one game."""

    saved: SavedGame
    person: str

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides that the person plays."""
        return self.saved.sides_of(self.person)

    @property
    def is_alone(self) -> bool:
        """Return True if no other person has a seat or is invited to one."""
        others = {person for person in self.saved.people if person not in ("", self.person)}
        return not others and not self.saved.invitation

    def check_player(self) -> None:
        """Raise NotYoursError unless the person made the game or plays in it."""
        if self.saved.is_of(self.person):
            return
        if not self.saved.owner:
            raise NotYoursError(
                "this game has no owner yet: the first person to open the app on the server's own machine owns it"
            )
        raise NotYoursError("this is another person's game: you can only watch it")

    def check_owner(self) -> None:
        """Raise NotYoursError unless the person made the game."""
        self.check_player()
        if self.saved.owner != self.person:
            raise NotYoursError("only the person who made this game can do that")

    def check_alone(self) -> None:
        """Raise NotYoursError or NotNowError unless the person is the only one in the game."""
        self.check_player()
        if not self.is_alone:
            raise NotNowError("two people play this game, so neither can do that alone")

    def check_side(self, side: Side) -> None:
        """Raise NotYoursError unless the person plays this side."""
        self.check_player()
        if side not in self.sides:
            raise NotYoursError("you do not play this side")

    def side(self, asked: Side | None, to_move: Side) -> Side | None:
        """Return the side for which the person speaks. None if the person is alone: then the game chooses the side."""
        self.check_player()
        if asked is not None:
            self.check_side(asked)
            return asked
        if self.is_alone:
            return None
        if not self.sides:
            raise NotYoursError("only the players of this game can do that")
        return to_move if to_move in self.sides else self.sides[0]
