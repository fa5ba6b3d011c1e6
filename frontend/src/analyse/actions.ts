// The commands of the analysis board.
import { type Action, action } from "../components/actions";
import type { Analyse } from "./analyse.svelte";

/** All commands by name. */
export function actionsOf(analyse: Analyse) {
  const { study } = analyse;
  const none = study.view === null;
  const canDelete =
    study.isYours &&
    study.node !== null &&
    study.node.parent !== null &&
    !study.node.is_played &&
    study.isSaved;
  return {
    promote: action("promote", "Put first", "up", () => study.promote(), {
      key: "P",
      isDisabled: study.variation === null || !study.isYours,
    }),
    remove: action("delete", "Delete", "trash", () => study.remove(), { key: "Del", isDisabled: !canDelete }),
    flip: action("flip", "Flip", "flip", () => analyse.flip(), { key: "F" }),
    type: action("type", "Type a move", "type", () => (analyse.panel = "type"), {
      key: "/",
      isDisabled: none,
    }),
    new: action("new", "Another position", "board", () => analyse.openNew(), { brief: "Position", key: "N" }),
    share: action("share", "Share", "share", () => (analyse.panel = "share"), {
      key: "S",
      isDisabled: none,
    }),
    fromHere: action("from-here", "Play on from here", "play", () => analyse.playFromHere(), {
      brief: "Play on",
      isDisabled: none,
    }),
    lab: action("lab", "To the lab", "step", () => analyse.toLab(), { brief: "Lab", isDisabled: none }),
    puzzles: action("puzzles", "Puzzles from your games", "target", () => analyse.puzzles()),
  };
}

/** Under the moves. */
export function toolActions(analyse: Analyse): Action[] {
  const all = actionsOf(analyse);
  const ofVariation = [all.promote, all.remove].filter(({ isDisabled }) => !isDisabled);
  return [...ofVariation, all.flip, all.new, all.share, all.fromHere, all.lab];
}

/** Behind the phone's Menu: also the commands that have no place in the toolbar. */
export function menuActions(analyse: Analyse): Action[] {
  const all = actionsOf(analyse);
  return Object.values(all).filter(({ isDisabled }) => !isDisabled);
}
