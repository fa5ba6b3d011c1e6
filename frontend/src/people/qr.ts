// A QR code as one SVG path, made in the browser.
import { encode } from "uqr";

const QUIET = 4; // the margin that the standard asks for, in modules

export interface QrPath {
  size: number; // modules in a row, margin included
  d: string;
}

export function qrPath(text: string): QrPath {
  const { data, size } = encode(text, { ecc: "M", border: QUIET });
  return { size, d: data.flatMap((row, y) => runsOf(row).map(([x, length]) => bar(x, y, length))).join("") };
}

/** The dark runs of a row: where each begins, and its length. */
export function runsOf(row: readonly boolean[]): [number, number][] {
  const runs: [number, number][] = [];
  row.forEach((isDark, x) => {
    const last = runs.at(-1);
    if (!isDark) return;
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  });
  return runs;
}

function bar(x: number, y: number, length: number): string {
  return `M${x} ${y}h${length}v1h-${length}z`;
}
