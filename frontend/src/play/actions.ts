// The commands a visitor can give, with their words, keys and pictures: buttons, menu and sheet show the same.
import { app } from "../app.svelte";
import type { IconName } from "../components/icons";
import type { Play } from "./play.svelte";
import { isEngineMatch } from "./state";

export interface Action {
  id: string;
  label: string;
  brief?: string; // the label where space is scarce
  icon: IconName;
  key?: string;
  isMain?: boolean;
  isDisabled?: boolean;
  run: () => unknown;
}

/** Everything there is, by name. */
export function actionsOf(play: Play) {
  const game = play.state.game;
  const allowed = game?.allowed;
  const isChangeable = !game || play.state.link === "gone";
  const act = (
    id: string,
    label: string,
    icon: IconName,
    run: () => unknown,
    more: Partial<Action> = {},
  ): Action => ({
    id,
    label,
    icon,
    run,
    ...more,
    isDisabled: more.isDisabled ?? false,
  });
  const off = (may: boolean | undefined) => ({ isDisabled: isChangeable || !may });
  return {
    takeback: act("takeback", "Take back", "back", () => play.takeback(), {
      key: "U",
      ...off(allowed?.takeback),
    }),
    redo: act("redo", "Redo", "redo", () => play.redo(), { key: "⇧U", ...off(allowed?.redo) }),
    hint: act("hint", "Hint", "hint", () => play.hint(), {
      key: "H",
      ...off(allowed?.hint && !app.settings.quiet),
    }),
    flip: act("flip", "Flip", "flip", () => play.flip(), { key: "F" }),
    resign: act("resign", play.isResigning ? "Sure?" : "Resign", "resign", () => play.resign(), {
      key: "⇧R",
      ...off(allowed?.resign),
    }),
    draw: act("draw", "Offer a draw", "draw", () => play.draw(), { key: "⇧D", ...off(allowed?.draw) }),
    new: act("new", "New game", "plus", () => play.openNew(), {
      brief: "New",
      key: game?.outcome ? undefined : "N",
    }),
    rematch: act("rematch", "Rematch, seats swapped", "swap", () => play.rematch(), {
      brief: "Rematch",
      key: "N",
      isMain: true,
    }),
    pause: game?.paused
      ? act("pause", "Go on", "play", () => play.togglePause(), { key: "P", isMain: true })
      : act("pause", "Pause", "pause", () => play.togglePause(), { key: "P" }),
    step: act("step", "One move", "step", () => play.step(), { key: ".", ...off(allowed?.step) }),
    moveNow: act("move-now", "Move now", "now", () => play.moveNow(), { key: ".", isMain: true }),
    stop: act("stop", "Stop", "stop", () => play.stop(), { key: "P" }),
    retry: act("retry", "Retry", "retry", () => play.retry(), { isMain: true }),
    choose: act("choose", "Choose another", "swap", () => play.chooseAnother()),
    type: act("type", "Type a move or paste", "type", () => play.openTyping(), { key: "/" }),
    share: act("share", "Share", "share", () => play.share(), { isDisabled: !game }),
    fromHere: act("from-here", "Play on from here", "play", () => play.playFromHere(), {
      brief: "Play on",
      isDisabled: !game,
    }),
    analyse: act("analyse", "Analyse", "graph", () => play.toAnalysis(), { isDisabled: !game }),
    lab: act("lab", "To the lab", "step", () => play.toLab(), { isDisabled: !game }),
  };
}

/** The row under the board. `isUrgent`: worth its place on a phone too. */
export function controlRow(play: Play): { actions: Action[]; isUrgent: boolean } {
  const all = actionsOf(play);
  const game = play.state.game;
  if (game?.is_record)
    return {
      actions: [{ ...all.fromHere, isMain: true }, all.analyse, all.share, all.flip, all.new],
      isUrgent: true,
    };
  switch (game?.status) {
    case "failed":
      return { actions: [all.retry, all.choose, all.takeback, all.new], isUrgent: true };
    case "over":
      return { actions: [all.rematch, all.analyse, all.takeback, all.new, all.share], isUrgent: true };
    case "paused":
      return { actions: [all.pause, all.step, all.takeback, all.flip, all.new], isUrgent: true };
    case "thinking":
      if (isEngineMatch(game))
        return { actions: [all.pause, all.step, all.takeback, all.flip, all.new], isUrgent: true };
      if (play.isLongThought)
        return { actions: [all.moveNow, all.stop, all.takeback, all.flip, all.new], isUrgent: false };
  }
  return { actions: [all.takeback, all.hint, all.flip, all.resign, all.new], isUrgent: false };
}

/** Behind the three dots: what the row has no place for. */
export function menuActions(play: Play): Action[] {
  const all = actionsOf(play);
  const inRow = new Set(controlRow(play).actions.map((action) => action.id));
  const hasEngine = play.state.game?.seats.some((seat) => seat.kind !== "human");
  const candidates = [
    all.redo,
    all.draw,
    all.resign,
    all.type,
    all.share,
    all.fromHere,
    all.analyse,
    all.lab,
    all.flip,
    ...(hasEngine ? [all.pause] : []),
  ];
  return candidates.filter((action) => !inRow.has(action.id)).map((action) => ({ ...action, isMain: false }));
}
