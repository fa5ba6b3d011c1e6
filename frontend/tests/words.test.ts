import { describe, expect, it } from "vitest";
import {
  formatAbout,
  formatClock,
  formatCount,
  formatMove,
  formatPace,
  formatTime,
  listWords,
  looksLikeMove,
} from "../src/lib/words";

const thin = "\u202f";

describe("numbers", () => {
  it("groups digits by three", () => {
    expect(formatCount(204)).toBe("204");
    expect(formatCount(1204)).toBe(`1${thin}204`);
    expect(formatCount(18344000)).toBe(`18${thin}344${thin}000`);
  });

  it("rounds what changes while one reads", () => {
    expect([formatAbout(1204), formatAbout(345678), formatAbout(1234567)]).toEqual([
      `1${thin}204`,
      "346 k",
      "1.2 M",
    ]);
  });

  it("says times and clocks", () => {
    expect([formatTime(0), formatTime(3), formatTime(2500)]).toEqual(["under 1 ms", "3 ms", "2.5 s"]);
    expect([formatPace(0), formatPace(800), formatPace(10000)]).toEqual(["turbo", "0.8 s", "10 s"]);
    expect([formatClock(272000), formatClock(9400), formatClock(-5)]).toEqual(["4:32", "0:09.4", "0:00.0"]);
  });
});

describe("moves as text", () => {
  it("shortens captures if so wished", () => {
    expect([
      formatMove("22x15x8", "whole"),
      formatMove("22x15x8", "ends"),
      formatMove("11-15", "ends"),
    ]).toEqual(["22x15x8", "22x8", "11-15"]);
  });

  it("lists words", () => {
    expect([listWords([]), listWords(["5"]), listWords(["5", "6"]), listWords(["5", "6", "13"])]).toEqual([
      "",
      "5",
      "5 or 6",
      "5, 6 or 13",
    ]);
  });

  it("tells a typed move from a position", () => {
    expect(["4", "a"].every((text) => looksLikeMove("connect4", text))).toBe(true);
    expect(["4453", "./.", ""].some((text) => looksLikeMove("connect4", text))).toBe(false);
    expect(["11-15", "22x15x8", "22 x 8"].every((text) => looksLikeMove("checkers", text))).toBe(true);
    expect(["B:W18:B12", "11", ""].some((text) => looksLikeMove("checkers", text))).toBe(false);
  });
});
