// What the pages of a class say.
import { gameTitle, winnerOf } from "../../lib/contest";
import type { ClassView, PupilView, Tile } from "../../wire";

/** Names as people say them: "Mia", "Mia and Tom", "Mia, Tom and Ada". */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** The side of a person in a game; null for those who watch. */
export function sideOf(tile: Tile, name: string): 0 | 1 | null {
  const side = name ? tile.names.indexOf(name) : -1;
  return side === 0 || side === 1 ? side : null;
}

/** The pupils of a game who are away. */
export function awayFrom(people: readonly PupilView[], tile: Tile): PupilView[] {
  return tile.is_over ? [] : people.filter((pupil) => pupil.game === tile.id && !pupil.is_here);
}

/** "away 3 min" as a sentence: "Mia is away, 3 min". */
export function awayWords(pupil: PupilView): string {
  const minutes = Math.floor(pupil.seconds_away / 60);
  return minutes ? `${pupil.name} is away, ${minutes} min` : `${pupil.name} is away`;
}

/** How a game ended, to one who played it. */
export function resultWords(tile: Tile, name: string): string {
  const side = sideOf(tile, name);
  if (side === null) return `${tile.sentence}.`;
  const other = tile.names[1 - side] ?? "";
  const winner = winnerOf(tile);
  if (winner === null) return `A draw with ${other}.`;
  return winner === side ? `You won against ${other}.` : `${other} won.`;
}

/** "Connect Four. You are Yellow, Mia begins." */
export function inviteWords(tile: Tile, side: 0 | 1, sides: readonly string[]): string {
  const first = side === 0 ? "you begin" : `${tile.names[0]} begins`;
  return `${gameTitle(tile.game)}. You are ${sides[side] ?? ""}, ${first}.`;
}

const NUMBERS = [
  "No",
  "One",
  "Two",
  "Three",
  "Four",
  "Five",
  "Six",
  "Seven",
  "Eight",
  "Nine",
  "Ten",
  "Eleven",
  "Twelve",
];

/** What a pupil without a game reads. */
export function waitingWords(view: ClassView): string {
  const { tournament } = view;
  if (tournament && !tournament.is_over) {
    if (tournament.resting.includes(view.name)) return "You rest in this round, and get one point for it.";
    return "The next round begins when all games of this one are over.";
  }
  const free = freeOthers(view).length;
  if (free === 0) return "No other pupil is free at the moment. Your teacher pairs you.";
  const others = `${NUMBERS[free] ?? free} ${free === 1 ? "other is" : "others are"} free.`;
  return `${others} Your teacher pairs you, or you ask one.`;
}

/** The other pupils who are here and have no game. */
export function freeOthers(view: ClassView): PupilView[] {
  return view.people.filter((pupil) => pupil.is_here && !pupil.game && pupil.name !== view.name);
}

/** What the person typed as a code: letters and digits only, in capitals. */
export function codeOf(text: string): string {
  return text
    .replace(/[^a-z0-9]/gi, "")
    .slice(0, 8)
    .toUpperCase();
}

/** Choose a pupil, or not any more. Two at most: a third one replaces the first. */
export function choose(chosen: readonly string[], person: string): string[] {
  if (chosen.includes(person)) return chosen.filter((one) => one !== person);
  return [...chosen, person].slice(-2);
}
