import { describe, expect, it } from "vitest";
import {
  columnAt,
  columnX,
  discBoardSize,
  discCentre,
  placeOf,
  squareAt,
  squareCentre,
  SQUARES,
  stepDisc,
  stepSquare,
} from "../src/boards/geometry";
import { columnName, columnOf } from "../src/lib/words";

const usual = { width: 7, height: 6, flipped: false };

describe("the Connect Four board", () => {
  it("is 662 by 596 for seven columns of six", () => {
    expect(discBoardSize(usual)).toEqual({ width: 662, height: 596 });
    expect(discCentre(usual, 0)).toEqual({ x: 61, y: 61 });
    expect(discCentre(usual, 41)).toEqual({ x: 601, y: 511 });
  });

  it("finds the column under every centre, flipped or not", () => {
    for (const flipped of [false, true]) {
      for (let column = 0; column < 7; column += 1) {
        const board = { ...usual, flipped };
        expect(columnAt(board, columnX(board, column))).toBe(column);
      }
    }
  });

  it("gives the margins to the outer columns", () => {
    expect([columnAt(usual, 0), columnAt(usual, 661)]).toEqual([0, 6]);
  });

  it("names columns past nine with letters", () => {
    expect([columnName(0), columnName(8), columnName(9)]).toEqual(["1", "9", "a"]);
    expect([columnOf("1", 7), columnOf("8", 7), columnOf("a", 10), columnOf("0", 7)]).toEqual([
      0,
      null,
      9,
      null,
    ]);
  });

  it("moves the cursor as it is seen", () => {
    expect(stepDisc(usual, 8, "right")).toBe(9);
    expect(stepDisc({ ...usual, flipped: true }, 8, "right")).toBe(7);
    expect(stepDisc(usual, 8, "up")).toBe(1);
    expect(stepDisc(usual, 41, "down")).toBe(41);
  });
});

describe("the checkers board", () => {
  it("has square 1 in row 0 at column 1 and square 32 opposite", () => {
    expect(placeOf(1, false)).toEqual({ row: 0, column: 1 });
    expect(placeOf(5, false)).toEqual({ row: 1, column: 0 });
    expect(placeOf(32, false)).toEqual({ row: 7, column: 6 });
    expect(placeOf(32, true)).toEqual({ row: 0, column: 1 });
  });

  it("finds every square under its centre, flipped or not", () => {
    for (const flipped of [false, true]) {
      for (const square of SQUARES) expect(squareAt(squareCentre(square, flipped), flipped)).toBe(square);
    }
  });

  it("has nothing on light squares and outside", () => {
    expect(squareAt({ x: 10, y: 10 }, false)).toBeNull();
    expect(squareAt({ x: -1, y: 10 }, false)).toBeNull();
    expect(squareAt({ x: 600, y: 10 }, true)).toBeNull();
  });

  it("steps over the playing squares as they are seen", () => {
    expect(stepSquare(1, "right", false)).toBe(2);
    expect(stepSquare(1, "left", false)).toBe(1);
    expect(stepSquare(1, "down", false)).toBe(5);
    expect(stepSquare(32, "down", true)).toBe(28);
    expect(stepSquare(32, "right", true)).toBe(31);
  });
});
