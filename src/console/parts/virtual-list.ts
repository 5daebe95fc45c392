import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from '../html.ts';

interface VirtualListProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** Renders a row with exactly one link or button. */
  readonly row: (item: T) => VNode;
  /** Height of every row, in pixels. */
  readonly rowHeight: number;
  readonly label: string;
  /** The key of the row to scroll to; null for none. */
  readonly revealed?: string | null;
  /** Called when the last item comes into view. */
  readonly onEnd?: () => void;
}

/** Extra rows above and below the visible ones, so that scrolling shows no gaps. */
const spare = 8;

/**
 * Renders only the visible rows of a list. New items at the top do not move the visible ones. Arrow keys move
 * between rows.
 */
export function VirtualList<T>({
  items,
  keyOf,
  row,
  rowHeight,
  label,
  revealed = null,
  onEnd,
}: VirtualListProps<T>): VNode {
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const look = (): void => {
    const { scrollTop = 0, clientHeight = 600 } = place.current ?? {};
    setView((before) =>
      before.top === scrollTop && before.height === clientHeight
        ? before
        : { top: scrollTop, height: clientHeight },
    );
  };
  useEffect(() => {
    look();
    const watch = new ResizeObserver(look);
    if (place.current !== null) watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  const first = items[0] === undefined ? '' : keyOf(items[0]);
  const before = useRef(first);
  useLayoutEffect(() => {
    const added = items.findIndex((item) => keyOf(item) === before.current);
    if (added > 0 && place.current !== null && place.current.scrollTop > 0)
      place.current.scrollTop += added * rowHeight;
    before.current = first;
    look();
  }, [first]);
  useLayoutEffect(() => {
    const at = revealed === null ? -1 : items.findIndex((item) => keyOf(item) === revealed);
    if (at < 0 || place.current === null) return;
    const { scrollTop, clientHeight } = place.current;
    const [top, bottom] = [at * rowHeight, (at + 1) * rowHeight];
    if (top < scrollTop) place.current.scrollTop = top;
    if (bottom > scrollTop + clientHeight) place.current.scrollTop = bottom - clientHeight;
  }, [revealed]);
  const from = Math.max(0, Math.floor(view.top / rowHeight) - spare);
  const shown = items.slice(from, Math.ceil((view.top + view.height) / rowHeight) + spare);
  const isAtEnd = from + shown.length >= items.length;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd]);
  return html`<div class="virtual" ref=${place} onScroll=${look} onKeyDown=${moveByArrows}>
    <ol aria-label=${label} style=${{ height: `${items.length * rowHeight}px` }}>
      ${shown.map(
        (item, at) =>
          html`<li key=${keyOf(item)} aria-setsize=${items.length} aria-posinset=${from + at + 1} style=${{ top: `${(from + at) * rowHeight}px`, height: `${rowHeight}px` }}>
            ${row(item)}
          </li>`,
      )}
    </ol>
  </div>`;
}

const steps: ReadonlyMap<string, 'nextElementSibling' | 'previousElementSibling'> = new Map([
  ['ArrowDown', 'nextElementSibling'],
  ['ArrowUp', 'previousElementSibling'],
]);

function moveByArrows(event: KeyboardEvent): void {
  const step = steps.get(event.key);
  if (step === undefined) return;
  const item = event.target instanceof HTMLElement ? event.target.closest('li') : null;
  const next = item?.[step]?.querySelector<HTMLElement>('a, button');
  if (next === null || next === undefined) return;
  event.preventDefault();
  next.focus();
}
