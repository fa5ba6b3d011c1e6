import { describe, expect, it } from "vitest";
import { candidates, NO_PICK, origins, tap, targets, type Pick } from "../src/lib/pick";
import type { MoveView } from "../src/wire";
import { move } from "./views";

const from = (origin: number, more: Partial<Pick> = {}): Pick => ({ ...NO_PICK, origin, ...more });

/** Tap squares one after the other, as a visitor would; the result of the last tap. */
function taps(moves: MoveView[], ...squares: number[]) {
  let pick = NO_PICK;
  let result = tap(moves, pick, 0, false);
  for (const square of squares) {
    result = tap(moves, pick, square, origins(moves).includes(square));
    if (result.kind === "picked") pick = result.pick;
  }
  return result;
}

describe("picking a move", () => {
  const plain = [move("11-15"), move("11-16"), move("9-14")];

  it("plays a move by its first and last square", () => {
    expect(taps(plain, 11, 16)).toEqual({ kind: "move", move: plain[1] });
  });

  it("plays a double jump by its first and last square", () => {
    const jump = move("22x15x8");
    expect(taps([jump, move("23x16")], 22, 8)).toEqual({ kind: "move", move: jump });
  });

  it("plays a double jump hop by hop", () => {
    const jump = move("22x15x8");
    expect(taps([jump], 22, 15)).toMatchObject({ kind: "picked", pick: { via: [15] } });
    expect(taps([jump], 22, 15, 8)).toEqual({ kind: "move", move: jump });
  });

  it("changes its mind when another own piece is tapped", () => {
    expect(taps(plain, 11, 9)).toEqual({ kind: "picked", pick: from(9) });
  });

  it("lets go of a piece that is tapped twice", () => {
    expect(taps(plain, 11, 11)).toEqual({ kind: "picked", pick: NO_PICK });
  });

  it("hands a move that is not one to the server, which knows the rule", () => {
    expect(tap(plain, from(11), 18, false)).toEqual({ kind: "tried", from: 11, to: 18 });
    expect(tap(plain, from(28), 24, false)).toEqual({ kind: "tried", from: 28, to: 24 });
  });

  it("ignores an empty square when nothing is picked", () => {
    expect(tap(plain, NO_PICK, 20, false)).toEqual({ kind: "nothing" });
  });

  it("shows the ends of a picked piece", () => {
    expect(targets(plain, from(11))).toEqual([15, 16]);
    expect(targets(plain, NO_PICK)).toEqual([]);
  });
});

describe("paths that share both ends", () => {
  const east = move("32x23x16x7");
  const west = move("32x23x14x7");
  const moves = [east, west];

  it("asks where they part, and only there", () => {
    expect(taps(moves, 32, 7)).toEqual({ kind: "picked", pick: from(32, { end: 7 }) });
    expect(targets(moves, from(32, { end: 7 }))).toEqual([16, 14]);
  });

  it("plays the one whose square is tapped", () => {
    expect(taps(moves, 32, 7, 14)).toEqual({ kind: "move", move: west });
    expect(taps(moves, 32, 7, 16)).toEqual({ kind: "move", move: east });
  });

  it("needs no question when the way was tapped first", () => {
    expect(taps(moves, 32, 23, 16, 7)).toEqual({ kind: "move", move: east });
  });

  it("tells a round trip from its mirror image and from the short way", () => {
    const left = move("32x23x14x7x16x23x30");
    const right = move("32x23x16x7x14x23x30");
    const short = move("32x23x30");
    const all = [left, right, short];
    expect(targets(all, from(32, { end: 30 }))).toEqual([14, 16, 30]);
    expect(taps(all, 32, 30, 14)).toEqual({ kind: "move", move: left });
    expect(taps(all, 32, 30, 16)).toEqual({ kind: "move", move: right });
    expect(taps(all, 32, 30, 30)).toEqual({ kind: "move", move: short });
  });

  it("plays a round trip that ends where it began", () => {
    const round = move("6x15x22x13x6");
    expect(taps([round], 6, 6)).toEqual({ kind: "move", move: round });
  });

  it("never loops on moves it does not have", () => {
    expect(targets([], from(1, { end: 2 }))).toEqual([]);
    expect(candidates([], from(1))).toEqual([]);
  });
});
