// What is pasted into the field of the analysis board. The server reads it and guesses the game.
import { api, ApiError } from "../api";
import { ANALYSIS, formatRoute } from "../lib/route";
import type { PositionAnswer } from "../wire";

const HEADER = /^\s*\[\w+ +"/m;
const MAY_BE_GAMES = /^\s*[[{]|\/game\//; // headers, JSON, a link of ours
const LONGEST_POSITION = 4000;

/** Is it a whole game with its players, moves alone, a position, or nothing that can be read? */
export function kindOf(
  text: string,
  answer: PositionAnswer | null,
): "game" | "line" | "position" | "nothing" {
  if (!answer?.position) return answer === null || MAY_BE_GAMES.test(text) ? "game" : "nothing";
  if (answer.moves.length === 0) return "position";
  return HEADER.test(text) ? "game" : "line";
}

/** The address at which a pasted text is analysed, or what is wrong with it: one sentence. */
export async function openText(text: string): Promise<{ path: string } | { problem: string }> {
  try {
    const isShort = text.length <= LONGEST_POSITION;
    const answer = isShort ? await api.readPosition({ text }) : null;
    const kind = kindOf(text, answer);
    if (kind === "nothing") return { problem: answer?.problems[0] ?? "This cannot be read." };
    if (kind === "game" || !answer?.position || !answer.game) return await importGame(text);
    const { game, position, moves } = answer;
    const { width, height } = position;
    const size = game === "connect4" ? { width, height } : {};
    if (kind === "line") {
      const study = await api.newStudy({ game, ...size, position: "", moves });
      return { path: formatRoute({ ...ANALYSIS, id: study.id }) };
    }
    return { path: formatRoute({ ...ANALYSIS, game, position: position.text }) };
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.message };
    throw error;
  }
}

/** The first of several games, or a game of ours by its link. */
async function importGame(text: string): Promise<{ path: string } | { problem: string }> {
  const answer = await api.importGames({ text, game: null });
  const id = answer.found ?? answer.ids[0];
  if (id) return { path: formatRoute({ ...ANALYSIS, id }) };
  return { problem: answer.problems[0]?.message ?? answer.sentence };
}
