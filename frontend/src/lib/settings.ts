// A person's settings, kept in this browser. Reading never fails: unreadable values become the default.
export interface Settings {
  theme: "system" | "light" | "dark";
  marks: "normal" | "bold" | "off"; // on the pieces
  canMove: boolean; // rings round pieces that can move
  numbers: boolean; // column and square numbers on the boards
  notation: "whole" | "ends"; // 22x15x8 or 22x8
  sound: boolean;
  motion: "system" | "full" | "none";
  glass: boolean; // the glass-box card
  quiet: boolean; // hide everything a computer says
  engine: boolean; // the engine on the analysis board is on
  lines: 1 | 2 | 3 | 4 | 5; // number of its lines
}

export const DEFAULTS: Settings = {
  theme: "system",
  marks: "normal",
  canMove: true,
  numbers: true,
  notation: "whole",
  sound: false,
  motion: "system",
  glass: true,
  quiet: false,
  engine: true,
  lines: 3,
};

const CHOICES: { [K in keyof Settings]: readonly Settings[K][] } = {
  theme: ["system", "light", "dark"],
  marks: ["normal", "bold", "off"],
  canMove: [true, false],
  numbers: [true, false],
  notation: ["whole", "ends"],
  sound: [true, false],
  motion: ["system", "full", "none"],
  glass: [true, false],
  quiet: [true, false],
  engine: [true, false],
  lines: [1, 2, 3, 4, 5],
};

/** Small texts kept between visits, if the browser allows it. */
export interface Shelf {
  read(key: string): string | null;
  write(key: string, text: string): void;
}

export const browserShelf: Shelf = {
  read: (key) => {
    try {
      return localStorage.getItem(`outplay.${key}`);
    } catch {
      return null;
    }
  },
  write: (key, text) => {
    try {
      localStorage.setItem(`outplay.${key}`, text);
    } catch {
      // storage is full or forbidden: the choice lasts only until the page is closed
    }
  },
};

export function loadSettings(shelf: Shelf): Settings {
  let stored: unknown = null;
  try {
    stored = JSON.parse(shelf.read("settings") ?? "null");
  } catch {
    // not a value of ours
  }
  const settings: Settings = { ...DEFAULTS };
  if (typeof stored !== "object" || stored === null) return settings;
  for (const key of Object.keys(DEFAULTS) as (keyof Settings)[])
    take(settings, key, stored as Record<string, unknown>);
  return settings;
}

export function saveSettings(shelf: Shelf, settings: Settings): void {
  shelf.write("settings", JSON.stringify(settings));
}

/** The next theme for the `t` key: the opposite of what is shown, then back to the system's. */
export function nextTheme(theme: Settings["theme"], systemIsDark: boolean): Settings["theme"] {
  const cycle: Settings["theme"][] = systemIsDark ? ["system", "light", "dark"] : ["system", "dark", "light"];
  return cycle[(cycle.indexOf(theme) + 1) % cycle.length] ?? "system";
}

function take<K extends keyof Settings>(settings: Settings, key: K, stored: Record<string, unknown>): void {
  const found = CHOICES[key].find((choice) => choice === stored[key]);
  if (found !== undefined) settings[key] = found;
}
