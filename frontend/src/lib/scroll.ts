/** Scroll a list so that an item is visible, without scrolling the page; without an item, to the top. */
export function keepInSight(list: HTMLElement | undefined, item: HTMLElement | null | undefined): void {
  if (!list) return;
  const bottom = item ? item.offsetTop + item.offsetHeight : 0;
  if (!item) list.scrollTop = 0;
  else if (item.offsetTop < list.scrollTop) list.scrollTop = item.offsetTop;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}
