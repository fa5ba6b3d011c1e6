import { describe, expect, it } from "vitest";
import { at, baseOf, isOwnMachine, within } from "../src/lib/base";

describe("the path under which the app lies", () => {
  it("is that of its own script", () => {
    expect(baseOf("https://school.example/theme.js")).toBe("");
    expect(baseOf("https://school.example/outplay/theme.js")).toBe("/outplay");
    expect(baseOf("https://school.example/games/outplay/theme.js?v=1")).toBe("/games/outplay");
  });

  it("comes before every address", () => {
    expect(at("/lab", "")).toBe("/lab");
    expect(at("/lab", "/outplay")).toBe("/outplay/lab");
  });

  it("is taken from the page's path", () => {
    expect(within("/lab", "")).toBe("/lab");
    expect(within("/", "")).toBe("/");
    expect(within("/outplay/lab", "/outplay")).toBe("/lab");
    expect(within("/outplay", "/outplay")).toBe("/");
    expect(within("/outplay/", "/outplay")).toBe("/");
    expect(within("/outplays/lab", "/outplay")).toBe("/outplays/lab");
  });
});

it("only this machine is found under its own names", () => {
  for (const name of ["127.0.0.1", "127.0.1.1", "localhost", "[::1]"]) expect(isOwnMachine(name)).toBe(true);
  for (const name of ["192.168.1.4", "[fd00::2]", "school.example", "localhost.example"])
    expect(isOwnMachine(name)).toBe(false);
});
