import { describe, expect, it } from "vitest";
import { asideOf, awayAt, awayWords, newsOf, watchersSentence } from "../src/play/presence";
import { friendOf, isAlone, leftSeat, offerOf, roleOf, seenBy } from "../src/play/seen";
import { adopt, isFlipped, mayPlay, newState, receive } from "../src/play/state";
import type { GameView } from "../src/wire";
import { game, move, played, seat } from "./views";

const ALL = { takeback: true, redo: true, hint: true, resign: true, draw: true, step: true };
const NONE = { takeback: false, redo: false, hint: false, resign: false, draw: false, step: false };

/** Mia made the game and plays Red; Tom plays Yellow and has told no name. */
function shared(more: Partial<GameView> = {}): GameView {
  return game({
    owner: "mia",
    is_shared: true,
    seats: [seat(0, { title: "Mia", person: "mia" }), seat(1, { title: "Yellow", person: "tom" })],
    sentence: "Yellow, column 2. Red to move.",
    legal: [move("4")],
    allowed: ALL,
    ...more,
  });
}

function pageOf(me: string, view: GameView) {
  const state = { ...newState(), me };
  adopt(state, view);
  return state;
}

describe("a game of two people", () => {
  it("is played by who holds the seat to move", () => {
    expect([mayPlay(pageOf("mia", shared())), mayPlay(pageOf("tom", shared()))]).toEqual([true, false]);
    expect(seenBy(shared(), "mia")).toMatchObject({ sentence: "Yellow, column 2. Your move.", legal: [{}] });
    expect(seenBy(shared(), "tom")).toMatchObject({ sentence: "Yellow, column 2. Mia to move.", legal: [] });
  });

  it("calls only my own seat You", () => {
    expect(seenBy(shared(), "mia").seats.map(({ title }) => title)).toEqual(["You", "Yellow"]);
    expect(seenBy(shared(), "tom").seats.map(({ title }) => title)).toEqual(["Mia", "You"]);
    expect(seenBy(shared(), "eve").seats.map(({ title }) => title)).toEqual(["Mia", "Yellow"]);
  });

  it("has no hints, no redo and no single step, and a take-back only of my own moves", () => {
    expect(seenBy(shared(), "mia").allowed).toEqual({ ...NONE, resign: true, draw: true });
    const moved = shared({ moves: [played(1, "4", 0)] });
    expect(seenBy(moved, "mia").allowed.takeback).toBe(true);
    expect(seenBy(moved, "tom").allowed.takeback).toBe(false);
    expect(seenBy({ ...moved, strict: true }, "mia").allowed.takeback).toBe(false);
    expect(seenBy({ ...moved, takeback_offer: 0 }, "mia").allowed.takeback).toBe(false);
    expect(seenBy({ ...moved, draw_offer: 0 }, "mia").allowed.draw).toBe(false);
  });

  it("waits until the friend sits down", () => {
    const waiting = shared({
      seats: [seat(0, { person: "mia" }), seat(1, { title: "Yellow", is_free: true })],
    });
    const state = pageOf("mia", waiting);
    expect(mayPlay(state)).toBe(false);
    expect(state.game).toMatchObject({ sentence: "Waiting for your friend.", allowed: NONE, legal: [] });
    expect(state.game?.seats[1]?.title).toBe("Your friend");
    expect(asideOf(state, 0)).toBe("It begins when your friend sits down.");
    expect(seenBy(waiting, "eve").sentence).toBe("Waiting for the other player.");
  });

  it("lets others watch", () => {
    const state = pageOf("eve", shared());
    expect(mayPlay(state)).toBe(false);
    expect(state.game).toMatchObject({ allowed: NONE, legal: [] });
    expect([asideOf(state, 0), newsOf(state, 0)]).toEqual(["You are watching.", "You are watching."]);
    expect(offerOf(shared({ draw_offer: 0 }), "eve")).toBe(null);
  });

  it("turns the board of checkers to each", () => {
    const checkers = shared({ game: "checkers" });
    expect(["mia", "tom", "eve"].map((me) => isFlipped(pageOf(me, checkers)))).toEqual([true, false, false]);
  });

  it("asks the other one, and tells who has asked", () => {
    const asked = shared({ takeback_offer: 0, notice: "Red asks to take a move back." });
    expect(offerOf(asked, "tom")).toEqual({
      kind: "takeback",
      sentence: "Mia asks to take a move back.",
      isMine: false,
    });
    expect(offerOf(asked, "mia")).toMatchObject({ isMine: true });
    expect(asideOf(pageOf("mia", asked), 0)).toBe("You asked Yellow to take a move back.");
    expect(seenBy(asked, "tom").notice).toBe("");
    expect(offerOf(shared({ draw_offer: 1 }), "mia")?.sentence).toBe("Yellow offers a draw.");
    const over = { winner: 0 as const, reason: "resignation", sentence: "", told: [], detail: "", cells: [] };
    const again = shared({ outcome: over, rematch: "again" });
    expect(offerOf(again, "tom")).toMatchObject({ kind: "rematch", sentence: "Mia wants a rematch." });
    const mine = offerOf({ ...again, rematch_by: 1 }, "tom");
    expect(mine).toMatchObject({ sentence: "You asked Mia for a rematch.", isMine: true });
    expect(offerOf({ ...again, rematch: null }, "tom")).toBe(null);
  });

  it("tells each player how it ended, and others who won", () => {
    const told = ["You won: Yellow resigned.", "You lost: you resigned."];
    const outcome = { winner: 0 as const, reason: "", sentence: "Red wins.", told, detail: "", cells: [] };
    const over = shared({ outcome, sentence: "Red wins." });
    expect(["mia", "tom", "eve"].map((me) => seenBy(over, me).sentence).sort()).toEqual(
      [...told, "Red wins."].sort(),
    );
  });
});

describe("a game of one person", () => {
  const hotSeat = game({ owner: "mia", seats: [seat(0, { person: "mia" }), seat(1, { person: "mia" })] });

  it("is unchanged for that person, at one screen too", () => {
    expect(seenBy(hotSeat, "mia")).toEqual(hotSeat);
    expect([isAlone(hotSeat, "mia"), mayPlay(pageOf("mia", hotSeat))]).toEqual([true, true]);
    expect(friendOf(hotSeat, "mia")).toBe(null);
  });

  it("is watched by others, without You", () => {
    const view = game({ owner: "mia", seats: [seat(0, { person: "mia" }), seat(1, { kind: "level" })] });
    expect(roleOf(view, "eve")).toBe("watcher");
    expect(seenBy(view, "eve")).toMatchObject({ sentence: "Red to move.", allowed: NONE });
    expect(seenBy(view, "eve").seats[0]?.title).toBe("Red");
  });

  it("has an empty seat where a friend has left", () => {
    const view = game({ owner: "mia", seats: [seat(0, { person: "mia" }), seat(1)] });
    expect(leftSeat(view)?.side).toBe(1);
    expect(asideOf(pageOf("mia", view), 0)).toBe("Yellow has left. Choose another player for the seat.");
    expect(leftSeat(hotSeat)).toBe(null);
  });
});

describe("who is here", () => {
  it("says for how long somebody is away", () => {
    const seconds = [0, 2, 3, 59, 60, 150, 7200].map((count) => awayWords(0, count * 1000));
    expect(seconds).toEqual(["", "", "away", "away", "away, 1 min", "away, 2 min", "away, 2 h"]);
    expect(awayWords(null, 9000)).toBe("");
  });

  it("counts from when a player went", () => {
    const state = pageOf("mia", shared());
    receive(state, { kind: "people", here: [true, false], watchers: 0 }, 1000);
    receive(state, { kind: "people", here: [true, false], watchers: 2 }, 60_000);
    expect(awayAt(shared(), state.presence, 1, 61_000)).toBe("away, 1 min");
    expect(newsOf(state, 61_000)).toBe("Yellow is away.");
    expect(watchersSentence(state.presence)).toBe("2 people are watching.");
    receive(state, { kind: "people", here: [true, true], watchers: 1 }, 70_000);
    expect([awayAt(shared(), state.presence, 1, 90_000), newsOf(state, 90_000)]).toEqual(["", ""]);
    expect(watchersSentence(state.presence)).toBe("1 person is watching.");
  });

  it("reads out what the friend says, not what I say", () => {
    const state = pageOf("mia", shared());
    receive(state, { kind: "said", said: { side: 1, text: "Hello!" } });
    expect(newsOf(state, 0)).toBe("Yellow says: Hello!");
    receive(state, { kind: "said", said: { side: 0, text: "Hello!" } });
    expect(newsOf(state, 0)).toBe("");
  });
});
