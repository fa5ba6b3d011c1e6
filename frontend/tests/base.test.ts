import { describe, expect, it } from "vitest";
import { at, baseOf, within } from "../src/lib/base";

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
