// Line icons on a 20 x 20 grid: `d` is stroked, `solid` is filled.
export interface IconShape {
  d?: string;
  solid?: string;
}

const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

export const ICONS = {
  back: { d: "M7.5 4.5 4 8l3.5 3.5M4 8h7.5a4.25 4.25 0 0 1 0 8.5H8" },
  redo: { d: "M12.5 4.5 16 8l-3.5 3.5M16 8H8.5a4.25 4.25 0 0 0 0 8.5H12" },
  pair: { d: `${circle(6, 10, 3)}${circle(14, 10, 3)}M9 10h2` },
  cup: {
    d: "M6.5 3.5h7v5a3.5 3.5 0 0 1-7 0zM6.5 5H4v1.5a2.5 2.5 0 0 0 2.5 2.5M13.5 5H16v1.5a2.5 2.5 0 0 1-2.5 2.5M10 12v4M7 16.5h6",
  },
  whole: { d: "M4 8V4h4M16 8V4h-4M4 12v4h4M16 12v4h-4" },
  target: { d: `${circle(10, 10, 6.5)}${circle(10, 10, 2)}` },
  graph: { d: "M3.5 16.5h13M4.5 12.5h3.5v-6h4v4h4.5" },
  up: { d: "M10 16V4.5M5.5 9 10 4.5 14.5 9" },
  board: { d: "M4 4h12v12H4zM10 4v12M4 10h12" },
  hint: {
    d: "M7.6 13.6c-1.5-.9-2.6-2.5-2.6-4.4a5 5 0 0 1 10 0c0 1.9-1.1 3.5-2.6 4.4v1.4h-4.8zM8.2 17.5h3.6",
  },
  flip: { d: "M6.5 16V4.5M3.5 7.5l3-3 3 3M13.5 4v11.5M10.5 12.5l3 3 3-3" },
  resign: { d: "M5 17.5V3.5M5 4.5h9.5l-2 3.25 2 3.25H5" },
  plus: { d: "M10 4.5v11M4.5 10h11" },
  play: { solid: "M6.5 4.5v11l9-5.5z" },
  pause: { d: "M7 5v10M13 5v10" },
  step: { d: "M5.5 4.5v11l7-5.5zM15 4.5v11" },
  stop: { solid: "M6 6h8v8H6z" },
  now: { d: "M4 10h11M10.5 5.5 15 10l-4.5 4.5" },
  share: { d: "M10 3.5v9M6.5 6.5 10 3.5l3.5 3M4.5 10.5v5.5h11v-5.5" },
  down: { d: "m6 8 4 4 4-4" },
  previous: { d: "M12.5 4.5 7 10l5.5 5.5" },
  next: { d: "M7.5 4.5 13 10l-5.5 5.5" },
  first: { d: "M5 4.5v11M14.5 4.5 9 10l5.5 5.5" },
  last: { d: "M15 4.5v11M5.5 4.5 11 10l-5.5 5.5" },
  menu: { d: "M4 6h12M4 10h12M4 14h12" },
  more: { solid: `${circle(4.5, 10, 1.5)}${circle(10, 10, 1.5)}${circle(15.5, 10, 1.5)}` },
  close: { d: "m5 5 10 10M15 5 5 15" },
  theme: { d: circle(10, 10, 6.25), solid: "M10 3.75a6.25 6.25 0 0 1 0 12.5z" },
  settings: { d: `M4 6.5h6M14 6.5h2M4 13.5h2M10 13.5h6${circle(12, 6.5, 2)}${circle(8, 13.5, 2)}` },
  help: { d: `${circle(10, 10, 7)}M7.9 8.1a2.15 2.15 0 1 1 3.2 1.9c-.7.4-1.1.8-1.1 1.6M10 13.8v.1` },
  stepback: { d: "M14.5 4.5v11l-7-5.5zM5 4.5v11" },
  trash: { d: "M4 6h12M8 6V4h4v2M5.5 6l.8 10h7.4l.8-10M8.5 9v4.5M11.5 9v4.5" },
  file: { d: "M5.5 3h6l3.5 3.5V17h-9.5zM11.5 3v3.5H15" },
  link: {
    d: "M8.5 11.5 11.5 8.5M7 9 4.9 11a2.9 2.9 0 0 0 4.1 4.1L11 13M9 7l2-2.1A2.9 2.9 0 0 1 15.1 9L13 11",
  },
  copy: { d: "M7 7h9v10H7zM4 13V3h9" },
  search: { d: `${circle(9, 9, 5)}M13 13l4 4` },
  check: { d: "m4.5 10.5 3.7 3.7 7.3-8" },
  swap: { d: "M4 7h11M12 4l3 3-3 3M16 13H5M8 10l-3 3 3 3" },
  draw: { d: "M4.5 7.75h11M4.5 12.25h11" },
  type: { d: "M3 5.5h14v9H3zM6 8.5h.1M9 8.5h.1M12 8.5h.1M14.5 8.5h.1M6.5 11.5h7" },
  retry: { d: "M15.5 10a5.5 5.5 0 1 1-1.7-4M15.5 3.5v3.5h-3.5" },
} satisfies Record<string, IconShape>;

export type IconName = keyof typeof ICONS;
