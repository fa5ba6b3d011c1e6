// What a key does on the analysis board.
import { app } from "../app.svelte";
import { commandOf, type KeyPress } from "../play/keys";
import type { Analyse } from "./analyse.svelte";

/** True if the key meant something. */
export function run(analyse: Analyse, press: KeyPress): boolean {
  if (press.ctrlKey || press.metaKey || press.altKey) return false;
  return ownKey(analyse, press.key) || command(analyse, press);
}

/** Keys that mean something else here than elsewhere, or nothing there. */
function ownKey(analyse: Analyse, key: string): boolean {
  const { desk, teacher } = analyse;
  const keys: Record<string, () => unknown> = teacher.isOn
    ? { n: () => teacher.next(), h: () => teacher.reveal() }
    : {
        ArrowUp: () => desk.go("above"),
        ArrowDown: () => desk.go("below"),
        p: () => desk.promote(),
        Delete: () => desk.remove(),
        r: () => analyse.toggleReview(),
        e: () => analyse.learn(),
        s: () => desk.study && (analyse.panel = "share"),
      };
  const does = keys[key];
  does?.();
  return does !== undefined;
}

function command(analyse: Analyse, press: KeyPress): boolean {
  const { desk, teacher } = analyse;
  const command = commandOf(press);
  switch (command?.kind) {
    case "column":
      analyse.dropIn(command.name);
      return true;
    case "browse":
      if (!teacher.isOn) desk.go(command.to);
      return true;
    case "takeback":
      void desk.undo();
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
    case "flip":
      analyse.flip();
      return true;
    case "theme":
      app.switchTheme();
      return true;
    case "help":
      app.isHelpOpen = true;
      return true;
    case "close":
      analyse.back();
      return true;
    default:
      return false;
  }
}
