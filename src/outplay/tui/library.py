"""The page Library: the games of the store, the same ones as in the web app, to filter, open, import and export."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Paste
from textual.message import Message
from textual.widgets import DataTable, Input

from outplay.live import Terms
from outplay.live.catalogue import players_called, titles_of
from outplay.notation.any import counted, read_anything
from outplay.rules import RULES
from outplay.tui.dialogs import Confirm, Prompt
from outplay.tui.page import AppPage
from outplay.tui.sentence import More, Sentence

if TYPE_CHECKING:
    from outplay.store import SavedGame, Store, Summary

FILE_ENDINGS = (".pdn", ".json", ".txt")
"""Input that ends like this is taken as the name of a file."""
COLUMNS = ("Changed", "Game", "First", "Second", "Moves", "Result", "Opening")
SHOWN = 500
"""The most games that are listed; a filter finds the others."""
OUTCOMES = {
    None: "any outcome",
    "unfinished": "unfinished",
    "over": "finished",
    "first": "first won",
    "second": "second won",
    "draw": "drawn",
}
RECORD = Terms(is_strict=True)


class LibraryPage(AppPage):
    """A table of games, the most recently changed first."""

    name_of_page = "library"
    AUTO_FOCUS = "#games"
    help_text = """
Enter opens a game: a game in progress goes on, any other opens on the analysis board. The games are those of the web
app on this machine. i imports what you paste, or the file that you name; x writes the chosen game to a file in the
format of its ending (.pdn, .json, .svg, .fen). / filters by the name of a player or by the first moves (4453,
11-15 23-19).
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "Filter", key_display="/"),
        Binding("c", "next_game", "Which game"),
        Binding("o", "next_outcome", "Which outcome"),
        Binding("a,l", "analyse", "Analyse", key_display="a"),
        Binding("j", "walk(1)", "Next game", show=False),
        Binding("k", "walk(-1)", "Previous game", show=False),
        Binding("i", "import", "Import"),
        Binding("x", "export", "Export"),
        Binding("delete,backspace", "delete", "Delete", show=False),
        Binding("u", "restore", "Restore", show=False),
        Binding("escape", "close", "Close", show=False),
    ]

    class Listed(Message):
        """The store has answered."""

        def __init__(self, games: list[Summary], total: int, damaged: int) -> None:
            super().__init__()
            self.games, self.total, self.damaged = games, total, damaged

    class Told(Message):
        """Something was done, or could not be done: the text says what, or why."""

        def __init__(self, text: str, *, is_stale: bool = False) -> None:
            super().__init__()
            self.text, self.is_stale = text, is_stale

    def __init__(self) -> None:
        super().__init__()
        self.games: list[Summary] = []
        self._game: str | None = None
        self._outcome: Any = None
        self._asks = ""
        self._deleted: list[str] = []

    def compose_body(self) -> ComposeResult:
        with Vertical(id="library"):
            yield Sentence()
            yield Input(placeholder="a player, or the first moves; Enter filters", id="filter", compact=True)
            yield DataTable(id="games", cursor_type="row", zebra_stripes=True)
            yield More()
        yield Prompt("")

    def on_mount(self) -> None:
        self.set_focus(self.query_one(DataTable))

    def on_screen_resume(self) -> None:
        self.look()

    # Questions to the store, on another thread

    def look(self) -> None:
        """List the games that match."""
        text, game, outcome = self.query_one("#filter", Input).value.strip(), self._game, self._outcome

        def work(store: Store) -> Message:
            from outplay.store import Filter

            is_opening = bool(text) and text[0].isdigit()
            where = Filter(game, outcome=outcome)
            if is_opening:
                where = replace(where, opening=text)
            elif text:
                where = replace(where, player=text, players=players_called(text))
            found = store.games(limit=SHOWN, where=where)
            return self.Listed(found, store.count(where), len(store.damaged))

        self.with_store(work, opens=True)

    def on_library_page_listed(self, message: Listed) -> None:
        self.games = message.games
        table = self.query_one(DataTable)
        here = table.cursor_row
        table.clear(columns=True)
        rows = [[Text(cell) for cell in self._row(summary)] for summary in message.games]
        for title, *cells in zip(map(Text, COLUMNS), *rows, strict=True):
            table.add_column(title, width=max(cell.cell_len for cell in (title, *cells)))  # the table measures too late
        for summary, row in zip(message.games, rows, strict=True):
            table.add_row(*row, key=summary.id)
        if message.games:
            table.move_cursor(row=min(here, len(message.games) - 1))
        which = RULES[self._game].title if self._game else "both games"
        told = f"{counted(message.total, 'game')} ({which}, {OUTCOMES[self._outcome]})."
        more = " Enter opens one." if message.games else " i imports games, F2 plays one."
        bad = f" {counted(message.damaged, 'game')} damaged and left out." if message.damaged else ""
        self.say(told + more + bad)

    @staticmethod
    def _row(summary: Summary) -> tuple[str, ...]:
        titles = titles_of(summary.game, summary.seats, summary.names)
        result = "" if summary.reason is None else "1/2" if summary.winner is None else ("1-0", "0-1")[summary.winner]
        return (
            summary.date or f"{summary.changed:%Y-%m-%d}",
            RULES[summary.game].title,
            *(title[:16] for title in titles),
            str(summary.plies),
            result or "goes on",
            " ".join(summary.opening[:4]),
        )

    def on_library_page_told(self, message: Told) -> None:
        self.say(message.text)
        if message.is_stale:
            self.set_timer(1.5, self.look)

    # Opening

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        self._open(str(event.row_key.value), is_play=True)

    def action_walk(self, step: int) -> None:
        table = self.query_one(DataTable)
        table.move_cursor(row=max(0, table.cursor_row + step))

    def action_analyse(self) -> None:
        if (summary := self._chosen()) is not None:
            self._open(summary.id, is_play=False)

    def _chosen(self) -> Summary | None:
        row = self.query_one(DataTable).cursor_row
        if not 0 <= row < len(self.games):
            self.say("There is no game to choose here.")
            return None
        return self.games[row]

    def _open(self, game_id: str, *, is_play: bool) -> None:
        def work(store: Store) -> Message | None:
            saved = store.load(game_id)
            if saved is None:
                return self.Told("This game is no longer there.", is_stale=True)
            self.app.call_from_thread(self._show, saved, is_play)
            return None

        self.with_store(work, opens=True)

    def _show(self, saved: SavedGame, is_play: bool) -> None:
        if not self.is_current:  # the person has gone elsewhere
            return
        if is_play and not saved.is_record and saved.game.outcome() is None:
            self.outplay.action_page("play")
            self.outplay.play.open_saved(saved)
        else:
            self.outplay.analyse(saved, saved.game)

    # Filters

    def action_filter(self) -> None:
        self.set_focus(self.query_one("#filter", Input))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "filter":
            self.look()
            self.set_focus(self.query_one(DataTable))

    def action_next_game(self) -> None:
        self._game = {None: "connect4", "connect4": "checkers", "checkers": None}[self._game]
        self.look()

    def action_next_outcome(self) -> None:
        kinds = list(OUTCOMES)
        self._outcome = kinds[(kinds.index(self._outcome) + 1) % len(kinds)]
        self.look()

    def action_close(self) -> None:
        self.query_one("#filter", Input).value = ""
        self.set_focus(self.query_one(DataTable))
        self.look()

    # Import, export, delete

    def action_import(self) -> None:
        self._ask("import", "paste games in any notation, or name a file")

    def on_paste(self, event: Paste) -> None:
        """Show what is pasted on the page in the line for imports; Enter then reads it."""
        if event.text.strip():
            self.action_import()
            self.query_one(Prompt).paste(event.text)

    def action_export(self) -> None:
        if (summary := self._chosen()) is not None:
            self._ask("export", "the file: its ending is .pdn, .json, .svg or .fen", f"outplay-{summary.id}.pdn")

    def _ask(self, what: str, hint: str, text: str = "") -> None:
        self._asks = what
        prompt = self.query_one(Prompt)
        prompt.placeholder = hint
        prompt.ask(text)

    def on_prompt_typed(self, message: Prompt.Typed) -> None:
        self.query_one(Prompt).display = False
        self.set_focus(self.query_one(DataTable))
        if message.text:
            (self._import if self._asks == "import" else self._export)(message.text)

    def _import(self, text: str) -> None:
        def work(store: Store) -> Message:
            from outplay.store.games import SavedGame, new_id

            path = path_of(text)
            try:
                is_file, is_folder = path.is_file(), path.is_dir()
            except OSError:  # a game may be too long for a name
                is_file = is_folder = False
            if is_folder:
                return self.Told(f"{path} is a folder. Name a file.")
            if not is_file and path.suffix.lower() in FILE_ENDINGS:
                return self.Told(f"There is no file {path}.")
            found = read_anything(path.read_text(encoding="utf-8", errors="replace") if is_file else text)
            saved = [SavedGame(new_id(), game, RECORD, is_record=True) for game in found.games]
            store.add(saved)
            bad = f", {len(found.problems)} cannot be read: {found.problems[0].message}" if found.problems else ""
            return self.Told(f"{counted(len(saved), 'game')} imported{bad}.", is_stale=bool(saved))

        self.with_store(work)

    def _export(self, text: str) -> None:
        summary = self._chosen()
        if summary is None:
            return
        path = path_of(text)

        def work(store: Store) -> Message:
            from outplay.files import write_whole
            from outplay.store.exporting import FORMS, text_of
            from outplay.store.people import names_of

            form = path.suffix.removeprefix(".").lower()
            saved = store.load(summary.id)
            if form not in FORMS:
                return self.Told(f"Not possible: the file name must end in {', '.join(FORMS)}, not {form!r}.")
            if saved is None:
                return self.Told("This game is no longer there.", is_stale=True)
            if path.exists():
                return self.Told(f"There is a file {path} already. Choose another name.")
            if not path.parent.is_dir():
                return self.Told(f"There is no folder {path.parent}.")
            names = names_of(store, saved.people, saved.class_code)
            write_whole(path, text_of(saved, form, names=names).encode())
            return self.Told(f"Written: {path}.")

        self.with_store(work)

    def action_delete(self) -> None:
        summary = self._chosen()
        if summary is None:
            return

        def sure(is_sure: bool | None) -> None:
            if is_sure:
                self._deleted = [summary.id]
                self.with_store(lambda store: self._done(store.delete([summary.id]), "deleted; u brings it back"))

        self.app.push_screen(Confirm("Delete this game?"), sure)

    def action_restore(self) -> None:
        ids, self._deleted = self._deleted, []
        if ids:
            self.with_store(lambda store: self._done(store.restore(ids), "restored"))
        else:
            self.say("There is no game to bring back.")

    def _done(self, ids: list[str], what: str) -> Told:
        return self.Told(f"{counted(len(ids), 'game')} {what}.", is_stale=True)


def path_of(text: str) -> Path:
    """Return the path that a person names. ~ is the home folder; the name of an unknown user stays as it is."""
    path = Path(text.replace("\0", ""))
    with suppress(RuntimeError):
        path = path.expanduser()
    return path
