// The keys of the analysis board.
import { app } from "../app.svelte";
import { commandOf, type Command, type KeyPress } from "../lib/keys";
import { columnOf } from "../lib/words";
import type { Analyse } from "./analyse.svelte";

/** True if the key was handled. */
export function run(analyse: Analyse, press: KeyPress): boolean {
  if (press.ctrlKey || press.metaKey || press.altKey) return false;
  const command = commandOf(press);
  if (common(analyse, command)) return true;
  if (analyse.setup) return setUp(analyse, command);
  if (analyse.teacher.isOn) return learn(analyse, press.key, command);
  return own(analyse, press.key) || study(analyse, command);
}

/** Keys that work on every page and with every panel open. */
function common(analyse: Analyse, command: Command | null): boolean {
  if (command?.kind === "close") analyse.back();
  else if (command?.kind === "flip") analyse.flip();
  else return app.obey(command);
  return true;
}

/** While a position is edited: drop discs into columns. */
function setUp({ setup }: Analyse, command: Command | null): boolean {
  if (command?.kind !== "column" || !setup?.isEditing || setup.draft.game !== "connect4") return false;
  const column = columnOf(command.name, setup.draft.width);
  if (column !== null) setup.edit(column);
  return true;
}

/** In a lesson only `a` may reveal the answer. */
function learn(analyse: Analyse, key: string, command: Command | null): boolean {
  if (key === "n") analyse.teacher.next();
  else if (key === "a") analyse.teacher.reveal();
  else if (command?.kind === "column") analyse.dropIn(command.name);
  else return false;
  return true;
}

/** Keys with another meaning, or none, on the other pages. */
function own(analyse: Analyse, key: string): boolean {
  const { study } = analyse;
  switch (key) {
    case "ArrowUp":
      return study.go("above"); // without another move there, the page scrolls
    case "ArrowDown":
      return study.go("below");
    case "p":
      void study.promote();
      return true;
    case "Delete":
      void study.remove();
      return true;
    case "v":
      analyse.toggleReview();
      return true;
    case "e":
      analyse.learn();
      return true;
    case "s":
      if (study.view) analyse.panel = "share";
      return true;
    default:
      return false;
  }
}

function study(analyse: Analyse, command: Command | null): boolean {
  const { study } = analyse;
  switch (command?.kind) {
    case "column":
      analyse.dropIn(command.name);
      return true;
    case "browse":
      study.go(command.to);
      return true;
    case "takeback":
      void study.undo();
      return true;
    case "engine":
      app.change("engine", !app.settings.engine);
      return true;
    case "quiet":
      app.change("quiet", !app.settings.quiet);
      return true;
    case "pace":
      analyse.changeLines(command.direction);
      return true;
    case "wrong":
      analyse.nextWrong(command.isGrave);
      return true;
    case "type":
      analyse.closeAll();
      analyse.panel = "type";
      return true;
    case "new":
      analyse.openNew();
      return true;
    default:
      return false;
  }
}
