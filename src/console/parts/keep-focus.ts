/** What can have the focus. */
const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])';

/** Where the next control is near enough to continue at. */
const group = 'li, tr, p, .row, .notice, form, dialog, [role="group"]';

/**
 * Moves the focus to a neighbor when the focused element is removed, such as a button that deletes its row. The
 * browser would move it to the top of the page.
 */
export function keepFocus(): void {
  let last: Element | null = null;
  addEventListener('focusin', ({ target }) => {
    last = target instanceof Element ? target : null;
  });
  addEventListener('focusout', ({ target }) => {
    // Some browsers report the removal, too. Otherwise the person left the element.
    queueMicrotask(() => {
      if (target === last && last?.isConnected === true && document.activeElement !== last) last = null;
    });
  });
  new MutationObserver((records) => {
    if (last === null || last.isConnected || document.activeElement !== document.body) return;
    const lost = last;
    last = null;
    const removal = records.find(
      ({ target, removedNodes }) => target.isConnected && [...removedNodes].some((one) => one.contains(lost)),
    );
    // The rows of a virtual list are removed when they are scrolled out of view.
    if (removal?.target instanceof Element && removal.target.closest('.virtual') === null)
      neighborOf(lost, removal.target, removal.nextSibling)?.focus();
  }).observe(document.body, { childList: true, subtree: true });
}

/** Returns the element to focus after the removal of `lost` from `parent`, in front of `next`. */
function neighborOf(lost: Element, parent: Element, next: Node | null): HTMLElement | null {
  const isBehind = (one: Element): boolean => {
    if (next?.isConnected === true) return one === next || follows(one, next);
    return follows(one, parent) && !parent.contains(one);
  };
  const nearest = (all: readonly HTMLElement[]): HTMLElement | undefined => all.find(isBehind) ?? all.at(-1);
  // The same control of the next row, or of the one before.
  const same = within(parent).filter(
    (one) => one.tagName === lost.tagName && one.textContent === lost.textContent,
  );
  return nearest(same) ?? nearest(within(parent.closest(group))) ?? headingBefore(isBehind);
}

/** Returns the last heading in front of a place; the page's content if there is none. */
function headingBefore(isBehind: (one: Element) => boolean): HTMLElement | null {
  const headings = [...document.querySelectorAll<HTMLElement>('main :is(h1, h2, h3)')];
  const found = headings.findLast((one) => !isBehind(one)) ?? document.querySelector('main');
  if (found !== null) found.tabIndex = -1;
  return found;
}

function within(place: Element | null): readonly HTMLElement[] {
  return [...(place?.querySelectorAll<HTMLElement>(focusable) ?? [])];
}

function follows(one: Node, other: Node): boolean {
  return (other.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
