// Drop, slide and fade as Svelte attachments. Lengths come from the tokens, so reduced motion and turbo
// switch them off everywhere at once. Web Animations, because the page allows no inline styles.
import type { Attachment } from "svelte/attachments";
import type { Point } from "./geometry";

// every piece moves once: a redrawn board must not repeat it
const moved = new WeakSet<Element>();

function isFirstTime(element: Element): boolean {
  if (moved.has(element)) return false;
  moved.add(element);
  return true;
}

function millis(token: "--t-drop" | "--t-slide" | "--t-fade"): number {
  const text = getComputedStyle(document.documentElement).getPropertyValue(token).trim();
  return (parseFloat(text) || 0) * (text.endsWith("ms") ? 1 : 1000); // the build may write .18s for 180ms
}

/** A disc falls from above and bounces once, a little. */
export function drop(fall: number): Attachment<SVGElement> {
  return (element) => {
    const duration = millis("--t-drop");
    if (!isFirstTime(element) || duration === 0) return;
    const at = (y: number, offset: number, easing: string) => ({
      transform: `translateY(${y}px)`,
      offset,
      easing,
    });
    element.animate(
      [
        at(-fall, 0, "cubic-bezier(.45, 0, .9, .6)"),
        at(0, 0.72, "ease-out"),
        at(-9, 0.86, "ease-in"),
        at(0, 1, "linear"),
      ],
      { duration: duration * (0.6 + fall / 900) },
    );
  };
}

/** A piece walks along its path. */
export function slide(path: Point[]): Attachment<SVGElement> {
  return (element) => {
    const duration = millis("--t-slide");
    const end = path.at(-1);
    if (!isFirstTime(element) || duration === 0 || !end || path.length < 2) return;
    const frames = path.map(({ x, y }) => ({ transform: `translate(${x - end.x}px, ${y - end.y}px)` }));
    element.animate(frames, { duration: duration * (path.length - 1), easing: "cubic-bezier(.2, 0, 0, 1)" });
  };
}

/** A captured piece fades once it has been jumped. */
export function fade(delaySteps: number): Attachment<SVGElement> {
  return (element) => {
    const duration = millis("--t-fade");
    if (!isFirstTime(element)) return;
    if (duration === 0) return element.setAttribute("visibility", "hidden");
    const delay = millis("--t-slide") * delaySteps;
    const animation = element.animate([{ opacity: 1 }, { opacity: 0 }], { duration, delay, fill: "both" });
    animation.onfinish = () => element.setAttribute("visibility", "hidden");
  };
}
