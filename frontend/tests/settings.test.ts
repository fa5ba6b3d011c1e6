import { describe, expect, it } from "vitest";
import { DEFAULTS, loadSettings, nextTheme, saveSettings, type Shelf } from "../src/lib/settings";

function shelfWith(text: string | null): Shelf & { text: string | null } {
  return {
    text,
    read() {
      return this.text;
    },
    write(_key: string, written: string) {
      this.text = written;
    },
  };
}

describe("settings", () => {
  it("come back as they were saved", () => {
    const shelf = shelfWith(null);
    saveSettings(shelf, { ...DEFAULTS, theme: "dark", sound: true });
    expect(loadSettings(shelf)).toEqual({ ...DEFAULTS, theme: "dark", sound: true });
  });

  it("are the usual ones where nothing, or nonsense, is stored", () => {
    for (const text of [null, "", "{", "[]", "7", '{"theme":"pink","sound":"yes"}']) {
      expect(loadSettings(shelfWith(text))).toEqual(DEFAULTS);
    }
  });

  it("change the theme to the other one first", () => {
    expect([nextTheme("system", false), nextTheme("dark", false), nextTheme("light", false)]).toEqual([
      "dark",
      "light",
      "system",
    ]);
    expect(nextTheme("system", true)).toBe("light");
  });
});
