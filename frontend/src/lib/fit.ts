// The text above a board has a fixed height, so that the board never moves. What does not fit is made smaller.
const FORMS = ["", "alone", "small", "wrapped"] as const; // from the largest to the one that always fits

/** Choose the largest form in which no line of the head is cut off; again whenever its text or width changes. */
export function fitted(head: HTMLElement): () => void {
  const fit = () => {
    for (const form of FORMS) {
      head.dataset.fit = form;
      if (![...head.querySelectorAll("[data-line]")].some(isCut)) return;
    }
  };
  const texts = new MutationObserver(fit);
  texts.observe(head, { childList: true, characterData: true, subtree: true });
  const width = new ResizeObserver(fit);
  width.observe(head);
  return () => {
    texts.disconnect();
    width.disconnect();
  };
}

function isCut(line: Element): boolean {
  return line.scrollWidth > line.clientWidth;
}
