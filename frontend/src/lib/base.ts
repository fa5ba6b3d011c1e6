// Where the app lies on its server: "" at the root, "/outplay" under a sub-path (outplay serve --root-path).
// The page's own script tells it, so that one build fits every path.

/** The path of the folder of `theme.js`, without a slash at its end. */
export function baseOf(script: string): string {
  return new URL(script, "http://server").pathname.replace(/\/theme\.js$/, "");
}

const script =
  typeof document === "undefined"
    ? null
    : document.querySelector<HTMLScriptElement>("script[src$='/theme.js']");
const BASE = script ? baseOf(script.src) : "";

/** The address of one of our pages or calls: `at("/lab")`. */
export function at(path: string, base = BASE): string {
  return base + path;
}

/** Does only the device itself understand this name of a server as this server? */
export function isOwnMachine(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** The part of a page's path that is ours: the opposite of `at`. */
export function within(path: string, base = BASE): string {
  return path === base || path.startsWith(`${base}/`) ? path.slice(base.length) || "/" : path;
}
