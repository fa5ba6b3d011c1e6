// The commands of a game.
import { app } from "../app.svelte";
import { type Action, action } from "../components/actions";
import type { Play } from "./play.svelte";
import { isWaiting } from "./seen";
import { isEngineMatch } from "./state";

/** All commands by name. */
export function actionsOf(play: Play) {
  const game = play.state.game;
  const allowed = game?.allowed;
  const isChangeable = game !== null && play.state.link !== "gone";
  const off = (may: boolean | undefined) => ({ isDisabled: !isChangeable || !may });
  return {
    takeback: action("takeback", "Take back", "back", () => play.takeback(), {
      key: "U",
      ...off(allowed?.takeback),
    }),
    redo: action("redo", "Redo", "redo", () => play.redo(), { key: "⇧U", ...off(allowed?.redo) }),
    hint: action("hint", "Hint", "hint", () => play.hint(), {
      key: "H",
      ...off(allowed?.hint && !app.settings.quiet),
    }),
    flip: action("flip", "Flip", "flip", () => play.flip(), { key: "F" }),
    resign: action("resign", play.isResigning ? "Sure?" : "Resign", "resign", () => play.resign(), {
      key: "⇧R",
      ...off(allowed?.resign),
    }),
    draw: action("draw", "Offer a draw", "draw", () => play.draw(), { key: "⇧D", ...off(allowed?.draw) }),
    new: action("new", "New game", "plus", () => play.openNew(), {
      brief: "New",
      key: game?.outcome ? undefined : "N",
    }),
    friend: action("friend", "Play a friend", "person", () => play.openNew("", true)),
    rematch: game?.in_class
      ? action("class", "Back to the class", "person", () => play.again(), { key: "N", isMain: true })
      : action("rematch", "Rematch, seats swapped", "swap", () => play.again(), {
          brief: "Rematch",
          key: "N",
          isMain: true,
        }),
    pause: game?.paused
      ? action("pause", "Resume", "play", () => play.togglePause(), { key: "P", isMain: true })
      : action("pause", "Pause", "pause", () => play.togglePause(), { key: "P" }),
    step: action("step", "One move", "step", () => play.step(), { key: ".", ...off(allowed?.step) }),
    moveNow: action("move-now", "Move now", "now", () => play.moveNow(), { key: ".", isMain: true }),
    stop: action("stop", "Stop", "stop", () => play.stop(), { key: "P" }),
    retry: action("retry", "Retry", "retry", () => play.retry(), { isMain: true }),
    choose: action("choose", "Choose another", "swap", () => play.chooseAnother()),
    type: action("type", "Type a move or paste", "type", () => play.openTyping(), { key: "/" }),
    share: action("share", "Share", "share", () => play.share(), { isDisabled: !game }),
    fromHere: action("from-here", "Play on from here", "play", () => play.playFromHere(), {
      brief: "Play on",
      isDisabled: !game,
    }),
    analyse: action("analyse", "Analyse", "graph", () => play.toAnalysis(), { isDisabled: !game }),
    lab: action("lab", "To the lab", "step", () => play.toLab(), { isDisabled: !game }),
  };
}

/** The row below the board. `isUrgent`: shown on a phone too. */
export function controlRow(play: Play): { actions: Action[]; isUrgent: boolean } {
  const all = actionsOf(play);
  const game = play.state.game;
  if (game?.is_record)
    return {
      actions: [{ ...all.fromHere, isMain: true }, all.analyse, all.share, all.flip, all.new],
      isUrgent: true,
    };
  if (play.isWatching) return { actions: [all.flip, all.analyse, all.share, all.new], isUrgent: false };
  if (game && isWaiting(game)) return { actions: [all.flip, all.new], isUrgent: false };
  if (game?.is_shared && game.status !== "over") {
    const draw = { ...all.draw, label: "Draw" };
    return { actions: [all.takeback, draw, all.flip, all.resign, all.new], isUrgent: false };
  }
  switch (game?.status) {
    case "failed":
      return { actions: [all.retry, all.choose, all.takeback, all.new], isUrgent: true };
    case "over": {
      const back = game.is_shared ? [] : [all.takeback];
      const onward = play.coach.isThere ? [] : [all.rematch, all.analyse]; // the coach's card has them
      return { actions: [...onward, ...back, all.new, all.share], isUrgent: true };
    }
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

/** Behind the three dots: commands without a place in the row. */
export function menuActions(play: Play): Action[] {
  const all = actionsOf(play);
  const inRow = new Set(controlRow(play).actions.map(({ id }) => id));
  const game = play.state.game;
  const hasEngine = game?.seats.some((seat) => seat.kind !== "human");
  const isContest = game?.is_shared && !game.outcome && !play.isWatching; // no help while two people play
  const candidates = [
    ...(play.isAlone ? [all.redo] : []),
    ...(play.isWatching || (game && isWaiting(game)) ? [] : [all.draw, all.resign, all.type]),
    all.share,
    ...(isContest ? [] : [all.fromHere, all.analyse, all.lab]),
    all.flip,
    ...(hasEngine && play.isAlone ? [all.pause] : []),
    all.friend,
  ];
  return candidates.filter(({ id }) => !inRow.has(id)).map((one) => ({ ...one, isMain: false }));
}
