// The sentence above the board, and the line below it.
import { candidates, targets } from "../lib/pick";
import type { Settings } from "../lib/settings";
import { columnName, formatMove, listWords, moveSentence } from "../lib/words";
import type { GameView } from "../wire";
import type { State } from "./state";

export interface StageSentence {
  main: string;
  more: string;
  moreByTouch: string;
}

export function sentenceOf(state: State, notation: Settings["notation"]): StageSentence {
  const { game } = state;
  if (!game) return same("Setting up the board.", "");
  if (state.ply !== null) return same(browsed(game, state.ply, notation), "");
  if (state.pick.origin !== null) return picked(state, game);
  if (game.notice) return same(game.notice, game.sentence);
  return usual(game);
}

function usual(game: GameView): StageSentence {
  return { main: game.sentence, ...advice(game) };
}

/** While a position is edited: what it is, or what is wrong with it. */
export function editorSentence(verdict: string): StageSentence {
  return same("Set up a position.", verdict);
}

function browsed(game: GameView, ply: number, notation: Settings["notation"]): string {
  const move = game.moves[ply - 1];
  if (!move) return "The start position.";
  const name = game.seats[move.side]?.side_name ?? "";
  return `Move ${ply} of ${game.moves.length}: ${moveSentence(game.game, name, formatMove(move.text, notation))}`;
}

function picked(state: State, game: GameView): StageSentence {
  const { origin, end } = state.pick;
  const piece = game.position.board[(origin ?? 1) - 1] ?? ".";
  const name = piece === piece.toUpperCase() ? "King" : "Man";
  const goals = targets(game.legal, state.pick).map(String);
  if (end !== null) {
    return same(
      `${candidates(game.legal, state.pick).length} ways to ${end}.`,
      `Which way? Tap ${listWords(goals)}.`,
    );
  }
  if (goals.length === 0) {
    const { stuck } = state;
    return stuck?.square === origin ? same(stuck.message, stuck.detail) : usual(game);
  }
  return same(`${name} on ${origin}: to ${listWords(goals)}.`, "Tap where it goes, or drag it there.");
}

function advice(game: GameView): Pick<StageSentence, "more" | "moreByTouch"> {
  switch (game.status) {
    case "over":
      return both(game.outcome?.detail ?? "");
    case "paused":
      return { more: "Press . for one move, P to resume", moreByTouch: "" };
    case "human":
      return game.game === "connect4" ? dropAdvice(game.position.width) : checkersAdvice(game);
    case "thinking":
    case "failed":
      return both("");
  }
}

function dropAdvice(width: number): Pick<StageSentence, "more" | "moreByTouch"> {
  const keys = `1\u2013${columnName(Math.min(width, 9) - 1)}`;
  const letters = width > 9 ? `, or / and the letter` : "";
  return {
    more: `Drop a disc: click a column or press ${keys}${letters}`,
    moreByTouch: "Drop a disc: tap a column",
  };
}

function checkersAdvice(game: GameView): Pick<StageSentence, "more" | "moreByTouch"> {
  if (game.must_capture) return both(game.advice);
  return {
    more: "Click a piece, then where it goes",
    moreByTouch: "Tap a piece, then where it goes",
  };
}

function same(main: string, more: string): StageSentence {
  return { main, ...both(more) };
}

function both(more: string): Pick<StageSentence, "more" | "moreByTouch"> {
  return { more, moreByTouch: more };
}
