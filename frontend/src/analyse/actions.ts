// The commands of the analysis board, with their words, keys and pictures: tools and sheet show the same.
import type { IconName } from "../components/icons";
import type { Action } from "../play/actions";
import type { Analyse } from "./analyse.svelte";

function act(
  id: string,
  label: string,
  icon: IconName,
  key: string,
  run: () => unknown,
  more: Partial<Action> = {},
): Action {
  return { id, label, icon, run, ...(key ? { key } : {}), ...more };
}

/** Everything there is, by name. */
export function actionsOf(analyse: Analyse) {
  const { desk } = analyse;
  const none = desk.study === null;
  const canDelete = desk.node !== null && desk.node.parent !== null && !desk.node.is_played && desk.isSaved;
  return {
    promote: act("promote", "Put first", "up", "P", () => desk.promote(), {
      isDisabled: desk.variation === null,
    }),
    remove: act("delete", "Delete", "trash", "Del", () => desk.remove(), { isDisabled: !canDelete }),
    flip: act("flip", "Flip", "flip", "F", () => analyse.flip()),
    type: act("type", "Type a move", "type", "/", () => (analyse.panel = "type"), { isDisabled: none }),
    new: act("new", "Another position", "board", "N", () => analyse.openNew(), { brief: "Position" }),
    share: act("share", "Share", "share", "S", () => (analyse.panel = "share"), { isDisabled: none }),
    fromHere: act("from-here", "Play on from here", "play", "", () => analyse.playFromHere(), {
      brief: "Play on",
      isDisabled: none,
    }),
    lab: act("lab", "To the lab", "step", "", () => analyse.toLab(), { brief: "Lab", isDisabled: none }),
    puzzles: act("puzzles", "Puzzles from your games", "target", "", () => analyse.puzzles()),
  };
}

/** Under the moves. */
export function toolActions(analyse: Analyse): Action[] {
  const all = actionsOf(analyse);
  const ofVariation = [all.promote, all.remove].filter((action) => !action.isDisabled);
  return [...ofVariation, all.flip, all.new, all.share, all.fromHere, all.lab];
}

/** Behind the phone's Menu, and what the tools have no place for. */
export function menuActions(analyse: Analyse): Action[] {
  const all = actionsOf(analyse);
  return Object.values(all).filter((action) => !action.isDisabled);
}
