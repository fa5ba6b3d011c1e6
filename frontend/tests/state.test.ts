import { describe, expect, it } from "vitest";
import {
  adopt,
  browse,
  isFlipped,
  mayPlay,
  moveRows,
  newState,
  opinionsAt,
  receive,
  refuse,
  shown,
  taken,
} from "../src/play/state";
import { game, move, opinion, played, seat } from "./views";

const three = [played(1, "4", 0), played(2, "4", 1), played(3, "5", 0)];

function open(view = game({ moves: three })) {
  const state = newState();
  adopt(state, view);
  return state;
}

describe("views of the game", () => {
  it("keeps the newer of two views, whichever comes first", () => {
    const state = open(game({ version: 2, revision: 5 }));
    adopt(state, game({ version: 1, revision: 4 }));
    expect(state.game?.revision).toBe(5);
  });

  it("forgets pick, hint and refusal when the position has changed", () => {
    const state = open();
    refuse(state, { message: "You must capture", detail: "", moves: [] }, 24);
    state.hint = {
      version: 1,
      step: 1,
      sentence: "",
      reason: "",
      line: "",
      cells: [],
      move: null,
      marks: [],
    };
    adopt(state, game({ version: 2, revision: 2 }));
    expect(state).toMatchObject({ refusal: null, hint: null, pick: { origin: null } });
  });

  it("keeps them when only the pace has changed", () => {
    const state = open();
    state.pick = { origin: 11, via: [], end: null };
    adopt(state, game({ moves: three, revision: 2, time_ms: 0 }));
    expect(state.pick.origin).toBe(11);
  });

  it("starts afresh with another game, even with lower numbers", () => {
    const state = open(game({ revision: 9, moves: three, opinions: [opinion(1)] }));
    adopt(state, game({ id: "efgh", revision: 0 }));
    expect(state.game?.id).toBe("efgh");
    expect(state.opinions).toEqual({});
  });
});

describe("events", () => {
  const event = {
    kind: "thinking" as const,
    version: 1,
    is_queued: false,
    opinion: opinion(1, { played: null }),
  };

  it("shows thinking only for the position on the board", () => {
    const state = open(game({ status: "thinking", version: 1 }));
    receive(state, { ...event, version: 0 });
    expect(state.thinking).toBeNull();
    receive(state, event);
    expect(state.thinking?.opinion.nodes).toBe(1204);
  });

  it("drops the thought when the move is there", () => {
    const state = open(game({ status: "thinking" }));
    receive(state, event);
    receive(state, { kind: "state", game: game({ version: 2, revision: 2 }) });
    expect(state.thinking).toBeNull();
  });

  it("takes over the clock", () => {
    const state = open();
    const clock = { left_ms: [1000, 2000], running: 0 as const, base_ms: 60000, increment_ms: 0 };
    receive(state, { kind: "clock", version: 1, clock });
    expect(state.game?.clock?.left_ms).toEqual([1000, 2000]);
  });
});

describe("browsing", () => {
  it("goes back, forward and home, and stops at both ends", () => {
    const state = open();
    browse(state, "previous");
    expect(state.ply).toBe(2);
    browse(state, "first");
    browse(state, "previous");
    expect(state.ply).toBe(0);
    browse(state, "next");
    expect(state.ply).toBe(1);
    browse(state, "last");
    expect(state.ply).toBeNull();
    browse(state, "next");
    expect(state.ply).toBeNull();
  });

  it("stays on an earlier position while the game goes on", () => {
    const state = open();
    browse(state, 1);
    adopt(state, game({ moves: [...three, played(4, "1", 1)], version: 2, revision: 2 }));
    expect(state.ply).toBe(1);
  });

  it("comes home when the position looked at was taken back", () => {
    const state = open();
    browse(state, 2);
    adopt(state, game({ moves: three.slice(0, 1), version: 2, revision: 2 }));
    expect(state.ply).toBeNull();
  });

  it("shows the board after the move, and the one before it", () => {
    const view = game({ moves: three });
    expect(shown(view, 2)).toMatchObject({
      ply: 2,
      move: three[1],
      board: three[1]?.board,
      before: three[0]?.board,
      isLive: false,
    });
    expect(shown(view, 0)).toMatchObject({ ply: 0, move: null, board: view.start.board });
  });

  it("does not let anyone play in the past", () => {
    const state = open();
    expect(mayPlay(state)).toBe(true);
    browse(state, 1);
    expect(mayPlay(state)).toBe(false);
  });
});

describe("around the board", () => {
  it("puts a lone human at the bottom of a checkers board", () => {
    const white = open(game({ game: "checkers", seats: [seat(0, { kind: "level" }), seat(1)] }));
    const black = open(game({ game: "checkers", seats: [seat(0), seat(1, { kind: "level" })] }));
    expect([isFlipped(white), isFlipped(black)]).toEqual([false, true]);
    black.flipped = false;
    expect(isFlipped(black)).toBe(false);
  });

  it("counts captured pieces up to the ply shown", () => {
    const moves = [
      played(1, "11-15", 0),
      played(2, "22x15x8", 1, { captures: [18, 11] }),
      played(3, "4x11", 0, { captures: [8] }),
    ];
    expect(taken(game({ moves }), 3)).toEqual([1, 2]);
    expect(taken(game({ moves }), 1)).toEqual([0, 0]);
  });

  it("numbers moves by pairs, also when the second side begins", () => {
    expect(moveRows(game({ moves: three })).map((row) => row.moves.map((one) => one?.text))).toEqual([
      ["4", "4"],
      ["5", undefined],
    ]);
    const late = [played(1, "22-18", 1), played(2, "11-15", 0), played(3, "25-22", 1)];
    expect(moveRows(game({ moves: late })).map((row) => row.moves.map((one) => one?.text))).toEqual([
      [undefined, "22-18"],
      ["11-15", "25-22"],
    ]);
  });

  it("shows the live thought first, and while browsing the one behind the move", () => {
    const state = open(game({ moves: three, opinions: [opinion(1)], status: "thinking" }));
    expect(opinionsAt(state).map((one) => one.ply)).toEqual([1]);
    receive(state, { kind: "thinking", version: 1, is_queued: false, opinion: opinion(3, { played: null }) });
    expect(opinionsAt(state).map((one) => one.ply)).toEqual([3]);
    browse(state, 2);
    expect(opinionsAt(state).map((one) => one.ply)).toEqual([1]);
    browse(state, 1);
    expect(opinionsAt(state)).toEqual([]);
  });

  it("marks where a refused move would have ended", () => {
    const state = open();
    refuse(
      state,
      { message: "You must capture: 22x15", detail: "28-24 is refused", moves: [move("22x15")] },
      24,
    );
    expect(state.refusal).toMatchObject({ tried: 24, message: "You must capture: 22x15" });
  });
});
