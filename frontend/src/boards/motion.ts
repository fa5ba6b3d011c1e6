// Drop, slide and fade as Svelte attachments. Lengths come from the tokens, so reduced motion and turbo
// switch them off everywhere at once. Web Animations, because the page allows no inline styles.
import type { Attachment } from "svelte/attachments";
import type { Point } from "./geometry";

// animate every piece once: a redrawn board must not repeat it
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

/** Do pieces move visibly? Not with reduced motion. */
export function hasMotion(): boolean {
  return millis("--t-slide") > 0;
}

// Moves are animated one after the other: a quick answer waits for the piece before it, but not for long.
const LONGEST_WAIT_MS = 400;
let restAt = 0;

function wait(): number {
  return Math.max(0, Math.min(LONGEST_WAIT_MS, restAt - performance.now()));
}

/** The delay and length of a move: it starts when those before it are over. */
function inTurn(duration: number): KeyframeAnimationOptions {
  const delay = wait();
  restAt = performance.now() + delay + duration;
  return { duration, delay, fill: "backwards" };
}

/** A disc falls from above and bounces once, slightly. */
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
      inTurn(duration * (0.6 + fall / 900)),
    );
  };
}

/** Show the mark on a moving piece only when it has landed. */
export function land(element: SVGElement): void {
  const duration = isFirstTime(element) ? wait() : 0;
  if (duration > 0) element.animate([{ opacity: 0 }, { opacity: 0 }], { duration });
}

/** A piece slides along its path. */
export function slide(path: Point[]): Attachment<SVGElement> {
  return (element) => {
    const duration = millis("--t-slide");
    const end = path.at(-1);
    if (!isFirstTime(element) || duration === 0 || !end || path.length < 2) return;
    const frames = path.map(({ x, y }) => ({ transform: `translate(${x - end.x}px, ${y - end.y}px)` }));
    const timing = inTurn(duration * (path.length - 1));
    element.animate(frames, { ...timing, easing: "cubic-bezier(.2, 0, 0, 1)" });
  };
}

/** A captured piece fades once it has been jumped. */
export function fade(delaySteps: number): Attachment<SVGElement> {
  return (element) => {
    const duration = millis("--t-fade");
    if (!isFirstTime(element)) return;
    if (duration === 0) return element.setAttribute("visibility", "hidden");
    const delay = wait() + millis("--t-slide") * delaySteps;
    const animation = element.animate([{ opacity: 1 }, { opacity: 0 }], { duration, delay, fill: "both" });
    animation.onfinish = () => element.setAttribute("visibility", "hidden");
  };
}
