// The keys of all pages. The letters are those of the terminal and of lichess; text fields ignore them.
export type Command =
  | { kind: "column"; name: string }
  | { kind: "browse"; to: "previous" | "next" | "first" | "last" }
  | { kind: "takeback" }
  | { kind: "redo" }
  | { kind: "hint" }
  | { kind: "new" }
  | { kind: "flip" }
  | { kind: "quiet" }
  | { kind: "glass" }
  | { kind: "engine" }
  | { kind: "wrong"; isGrave: boolean }
  | { kind: "pause" }
  | { kind: "step" }
  | { kind: "pace"; direction: -1 | 1 }
  | { kind: "type" }
  | { kind: "theme" }
  | { kind: "help" }
  | { kind: "resign" }
  | { kind: "draw" }
  | { kind: "close" };

export interface KeyPress {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

const LETTERS: Record<string, Command> = {
  j: { kind: "browse", to: "next" },
  k: { kind: "browse", to: "previous" },
  ArrowRight: { kind: "browse", to: "next" },
  ArrowLeft: { kind: "browse", to: "previous" },
  Home: { kind: "browse", to: "first" },
  End: { kind: "browse", to: "last" },
  u: { kind: "takeback" },
  U: { kind: "redo" },
  h: { kind: "hint" },
  n: { kind: "new" },
  f: { kind: "flip" },
  z: { kind: "quiet" },
  g: { kind: "glass" },
  l: { kind: "engine" },
  b: { kind: "wrong", isGrave: true },
  m: { kind: "wrong", isGrave: false },
  p: { kind: "pause" },
  ".": { kind: "step" },
  "[": { kind: "pace", direction: -1 },
  "]": { kind: "pace", direction: 1 },
  "/": { kind: "type" },
  t: { kind: "theme" },
  "?": { kind: "help" },
  R: { kind: "resign" },
  D: { kind: "draw" },
  Escape: { kind: "close" },
};

export function commandOf(press: KeyPress): Command | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  if (/^[1-9]$/.test(press.key)) return { kind: "column", name: press.key };
  return LETTERS[press.key] ?? null;
}

export interface KeyHelp {
  keys: string[];
  does: string;
}

export interface KeyGroup {
  title: string;
  keys: KeyHelp[];
}

/** The key sheet, in the order in which a new person needs it. */
export const KEY_SHEET: KeyGroup[] = [
  {
    title: "Play",
    keys: [
      { keys: ["1", "–", "9"], does: "drop a disc in that column" },
      { keys: ["Tab"], does: "to the board; then arrows move, Enter or Space picks" },
      { keys: ["U"], does: "take back" },
      { keys: ["⇧", "U"], does: "redo" },
      { keys: ["H"], does: "hint; again for more" },
      { keys: ["/"], does: "type a move, or paste a position" },
      { keys: ["N"], does: "new game; rematch when a game is over" },
      { keys: ["E"], does: "after a game: try the coach's position again" },
      { keys: ["V"], does: "after a game: review it" },
      { keys: ["⇧", "R"], does: "resign" },
      { keys: ["⇧", "D"], does: "offer a draw" },
    ],
  },
  {
    title: "Look",
    keys: [
      { keys: ["J"], does: "next move" },
      { keys: ["K"], does: "previous move" },
      { keys: ["←", "→"], does: "previous and next move, when the board has no focus" },
      { keys: ["Home", "End"], does: "first and last position" },
      { keys: ["F"], does: "flip the board" },
      { keys: ["G"], does: "glass box on or off" },
      { keys: ["Z"], does: "hide all computer output" },
      { keys: ["T"], does: "theme" },
    ],
  },
  {
    title: "Engines",
    keys: [
      { keys: ["P"], does: "pause; again to resume" },
      { keys: ["."], does: "one move while paused; move now while it thinks" },
      { keys: ["[", "]"], does: "faster, slower" },
    ],
  },
  {
    title: "Page",
    keys: [
      { keys: ["?"], does: "this sheet" },
      { keys: ["Esc"], does: "close, or let go of a piece" },
    ],
  },
];

/** Keys of lessons and puzzles. */
const TRAINING_KEYS: KeyHelp[] = [
  { keys: ["1", "–", "9"], does: "drop a disc in that column" },
  { keys: ["Tab"], does: "to the board; then arrows move, Enter or Space picks" },
  { keys: ["H"], does: "hint; again for more" },
  { keys: ["A"], does: "show the answer" },
  { keys: ["R"], does: "try again" },
  { keys: ["."], does: "replay" },
  { keys: ["N"], does: "next, or skip" },
  { keys: ["←", "→"], does: "steps, when the board has no focus" },
  { keys: ["F"], does: "flip the board" },
  { keys: ["Esc"], does: "back to Learn" },
];

/** Keys of the pages without a game. */
export const PAGE_KEYS: Record<
  "analyse" | "arena" | "class" | "course" | "lab" | "learn" | "library" | "puzzles",
  KeyGroup
> = {
  analyse: {
    title: "Analyse",
    keys: [
      { keys: ["1", "–", "9"], does: "play a move in that column, for either side" },
      { keys: ["J", "K"], does: "next and previous move; so do → and ←" },
      { keys: ["↑", "↓"], does: "to the other moves of the same position" },
      { keys: ["Home", "End"], does: "to the start, to the end of the line" },
      { keys: ["P"], does: "put the variation first" },
      { keys: ["Del"], does: "delete the variation" },
      { keys: ["U"], does: "undo that" },
      { keys: ["L"], does: "engine on or off" },
      { keys: ["[", "]"], does: "fewer, more lines" },
      { keys: ["Z"], does: "hide all computer output" },
      { keys: ["V"], does: "review the game; again to stop" },
      { keys: ["B"], does: "next blunder" },
      { keys: ["M"], does: "next mistake of any kind" },
      { keys: ["E"], does: "learn from the mistakes" },
      { keys: ["A"], does: "while learning: show the answer" },
      { keys: ["/"], does: "type a move" },
      { keys: ["N"], does: "set up or paste another position; in an exercise: go to the next one" },
      { keys: ["F"], does: "flip the board" },
      { keys: ["S"], does: "share" },
      { keys: ["Tab"], does: "to the board; then arrows move, Enter or Space picks" },
    ],
  },
  arena: {
    title: "Arena",
    keys: [
      { keys: ["P"], does: "pause the tournament; again to go on" },
      { keys: ["N"], does: "a new tournament" },
      { keys: ["Enter"], does: "in the form: start" },
      { keys: ["Tab"], does: "to the cross table and the boards; then Enter opens" },
    ],
  },
  class: {
    title: "Class",
    keys: [
      { keys: ["P"], does: "pair everyone, or the two who are chosen" },
      { keys: ["Tab"], does: "to the boards; then Enter or Space opens one" },
    ],
  },
  course: {
    title: "How machines play",
    keys: [
      { keys: ["Y", "N"], does: "answer yes or no" },
      { keys: ["1", "2"], does: "answer with the first or the second" },
      { keys: ["→"], does: "go on; while it runs: to the next question" },
      { keys: ["←"], does: "to the question before" },
      { keys: ["P"], does: "play; again to pause" },
      { keys: ["."], does: "one line forward" },
      { keys: [","], does: "one line back" },
      { keys: ["[", "]"], does: "slower, faster" },
      { keys: ["Esc"], does: "leave; you come back to the same step" },
    ],
  },
  lab: {
    title: "Lab",
    keys: [
      { keys: ["R"], does: "run" },
      { keys: ["P"], does: "play the search; again to pause" },
      { keys: [".", "J", "→"], does: "one step forward" },
      { keys: ["K", "←"], does: "one step back" },
      { keys: ["Home", "End"], does: "to the beginning, to the end" },
      { keys: ["Tab"], does: "to the tree; then arrows move, Enter opens and closes" },
      { keys: ["Esc"], does: "stop an experiment" },
    ],
  },
  learn: {
    title: "Learn",
    keys: [
      { keys: ["C"], does: "continue" },
      { keys: ["D"], does: "puzzle of the day" },
      ...TRAINING_KEYS.map(({ keys, does }) => ({ keys, does: `in a lesson: ${does}` })),
    ],
  },
  puzzles: { title: "Puzzles", keys: TRAINING_KEYS },
  library: {
    title: "Library",
    keys: [
      { keys: ["J", "K"], does: "next and previous game; Enter opens it" },
      { keys: ["A"], does: "analyse the game" },
      { keys: ["S"], does: "share the selected game" },
      { keys: ["Del"], does: "delete it" },
      { keys: ["U"], does: "undo that" },
      { keys: ["/"], does: "paste games; Ctrl+Enter imports" },
      { keys: ["F"], does: "find a player" },
      { keys: ["[", "]"], does: "newer, older games" },
    ],
  },
};

/** The rows of the sheet on a page. */
export function sheetOf(page: string): KeyGroup[] {
  const own = Object.entries(PAGE_KEYS).find(([name]) => name === page)?.[1];
  if (!own) return KEY_SHEET;
  return [own, { title: "Page", keys: [{ keys: ["T"], does: "theme" }, ...(KEY_SHEET.at(-1)?.keys ?? [])] }];
}
