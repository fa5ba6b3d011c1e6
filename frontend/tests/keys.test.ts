import { describe, expect, it } from "vitest";
import { commandOf, KEY_SHEET, PAGE_KEYS, sheetOf } from "../src/lib/keys";

describe("keys", () => {
  const press = (key: string, more = {}) =>
    commandOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more });

  it("drop, browse and command", () => {
    expect(press("4")).toEqual({ kind: "column", name: "4" });
    expect(press("k")).toEqual({ kind: "browse", to: "previous" });
    expect(press("u")).toEqual({ kind: "takeback" });
    expect(press("U")).toEqual({ kind: "redo" });
    expect(press("]")).toEqual({ kind: "pace", direction: 1 });
    expect(press("q")).toBeNull();
  });

  it("leave the browser's own keys alone", () => {
    expect(press("f", { ctrlKey: true })).toBeNull();
    expect(press("n", { metaKey: true })).toBeNull();
  });

  it("of a page are on its own sheet", () => {
    for (const page of ["analyse", "lab", "library"] as const) {
      const [group, rest] = sheetOf(page);
      expect(group).toBe(PAGE_KEYS[page]);
      expect(rest?.title).toBe("Page");
    }
    expect(sheetOf("game")).toBe(KEY_SHEET);
  });

  it("are all on the sheet once", () => {
    const shown = KEY_SHEET.flatMap((group) => group.keys.map((key) => key.keys.join("")));
    expect(new Set(shown).size).toBe(shown.length);
    for (const letter of ["U", "H", "N", "F", "Z", "G", "P", ".", "/", "T", "?", "J", "K", "Esc"])
      expect(shown).toContain(letter);
  });
});
