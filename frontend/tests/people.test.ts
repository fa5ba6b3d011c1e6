import { describe, expect, it } from "vitest";
import { formatRoute, parseRoute } from "../src/lib/route";
import { qrPath, runsOf } from "../src/people/qr";
import { firstDraft, requestOf } from "../src/setup/draft";
import type { GameInfo } from "../src/wire";

describe("links to people", () => {
  it("lead to a seat, to a game and to another device", () => {
    expect(parseRoute("/play/abcdefgh23/sit/k4V-TQXa", "")).toEqual({
      kind: "sit",
      id: "abcdefgh23",
      invitation: "k4V-TQXa",
    });
    expect(parseRoute("/play/abcdefgh23", "")).toMatchObject({ kind: "game", id: "abcdefgh23" });
    expect(parseRoute("/play/chess", "")).toMatchObject({ kind: "missing" });
    expect(parseRoute("/me/k7wq-3mfd", "")).toEqual({ kind: "enter", code: "k7wq-3mfd" });
  });

  it("are written as they are read", () => {
    for (const path of ["/play/abcdefgh23/sit/k4V-TQXa", "/me/k7wq-3mfd"])
      expect(formatRoute(parseRoute(path, ""))).toBe(path);
  });
});

describe("a QR code", () => {
  it("joins dark modules that are neighbours", () => {
    expect(runsOf([false, true, true, false, true])).toEqual([
      [1, 2],
      [4, 1],
    ]);
  });

  it("has a margin of four, and a corner of seven", () => {
    const { size, d } = qrPath("http://127.0.0.1:8000/me/k7wq-3mfd");
    expect(d.startsWith("M4 4h7v1h-7z")).toBe(true);
    expect(d).toContain(`M${size - 11} 4h7v1h-7z`);
    expect(d).toContain(`M4 ${size - 5}h7v1h-7z`);
  });
});

describe("a game with a friend", () => {
  const info = {
    game: "connect4",
    opponent: "level:2",
    human_side: 0,
    sizes: [{ width: 7, height: 6 }],
  } as unknown as GameInfo;

  it("seats two humans and keeps one seat free", () => {
    const draft = { ...firstDraft(info, 100), friend: 0 as const };
    expect(requestOf(draft)).toMatchObject({ seats: ["human", "human"], friend: 0 });
    expect(requestOf(firstDraft(info, 100))).toMatchObject({ seats: ["human", "level:2"], friend: null });
  });
});
