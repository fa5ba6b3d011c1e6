/** The main button after an answer has the focus, so that Enter goes on; the page does not scroll. */
export function focus(element: HTMLElement): void {
  element.focus({ preventScroll: true });
}
