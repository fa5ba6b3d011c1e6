import { describe, expect, it } from "vitest";
import { formatRoute, parseRoute } from "../src/lib/route";

describe("addresses", () => {
  it("opens Connect Four at the root", () => {
    expect(parseRoute("/", "")).toMatchObject({ kind: "play", game: "connect4", position: "" });
  });

  it("reads position, size and seats", () => {
    const route = parseRoute("/play/connect4", "?pos=4453&size=8x8&first=human&second=level:3");
    expect(route).toEqual({
      kind: "play",
      game: "connect4",
      position: "4453",
      size: { width: 8, height: 8 },
      seats: ["human", "level:3"],
    });
  });

  it("tells a game to be analysed from a position", () => {
    expect(parseRoute("/analyse", "")).toMatchObject({
      kind: "analyse",
      id: null,
      game: "connect4",
      ply: null,
    });
    expect(parseRoute("/analyse", "?game=checkers&pos=start")).toMatchObject({ id: null, game: "checkers" });
    expect(parseRoute("/analyse", "?game=abcd1234")).toMatchObject({ id: "abcd1234", line: [] });
    expect(parseRoute("/analyse", "?game=../x&ply=-1&line=1,<b>,2")).toMatchObject({
      id: null,
      ply: null,
      line: ["1", "2"],
    });
  });

  it("round-trips every kind of route", () => {
    const paths = [
      "/play/checkers",
      "/game/abcd1234?ply=12&flip=1",
      "/game/abcd1234?flip=0",
      "/settings",
      "/play/connect4?pos=44&size=5x4",
      "/analyse?game=abcd1234&ply=12&line=11-15%2C22x15x8&flip=1",
      "/analyse?game=checkers&pos=B%3AW18%3AB12",
      "/analyse?game=connect4&pos=4453&size=8x8",
    ];
    for (const path of paths) {
      const url = new URL(path, "http://host");
      expect(formatRoute(parseRoute(url.pathname, url.search))).toBe(path);
    }
  });

  it("knows what it does not know", () => {
    for (const path of ["/nowhere", "/play/chess", "/game/..", "/game/a/b"])
      expect(parseRoute(path, "").kind).toBe("missing");
    expect(parseRoute("/game/abcd", "?ply=-3&flip=x")).toMatchObject({ ply: null, flipped: null });
  });
});
