import { parseKnown } from '../../base/parse-known.ts';
import { excerptOf, findSections, maxFound, wordsOf, type Section } from './find-sections.ts';

/** Shows the search at the top of a page. The index is loaded when the field gets the focus. */
function setUp(search: HTMLElement): void {
  const field = search.querySelector('input');
  const results = search.querySelector<HTMLElement>('.results');
  const status = search.querySelector('[role="status"]');
  const list = search.querySelector('ol');
  if (field === null || results === null || status === null || list === null) return;
  let index: Promise<readonly Section[]> | null = null;
  const load = (): Promise<readonly Section[]> => (index ??= loadIndex(search.dataset['index'] ?? ''));

  const show = async (): Promise<void> => {
    const query = field.value;
    const found = findSections(await load(), query);
    // The reader has typed on while the index was loading.
    if (query !== field.value) return;
    const words = wordsOf(query);
    results.hidden = words.length === 0;
    status.textContent = statusOf(found.length);
    list.replaceChildren(...found.map((section) => resultOf(section, words)));
  };
  const close = (): void => {
    results.hidden = true;
  };

  field.addEventListener('focus', () => void load().catch(() => (index = null)));
  field.addEventListener('input', () => {
    show().catch(() => {
      index = null;
      results.hidden = false;
      status.textContent = 'The search index could not be loaded.';
    });
  });
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      field.value = '';
      close();
      field.focus();
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const stops: readonly HTMLElement[] = [field, ...list.querySelectorAll('a')];
      const now = stops.findIndex((stop) => stop === document.activeElement);
      stops[now + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
      event.preventDefault();
    }
    if (event.key === 'Enter' && event.target === field) list.querySelector('a')?.click();
  });
  list.addEventListener('click', close);
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !search.contains(target)) close();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
  search.hidden = false;
}

function statusOf(count: number): string {
  if (count === 0) return 'No results';
  if (count === maxFound) return `The best ${maxFound} results`;
  return count === 1 ? '1 result' : `${count} results`;
}

async function loadIndex(path: string): Promise<readonly Section[]> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} returned ${response.status}.`);
  // The server's own file, which the build writes from the same type.
  return parseKnown(await response.text());
}

function resultOf({ page, title, href, text }: Section, words: readonly string[]): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = href;
  link.append(
    element('strong', title, words),
    element('span', page, []),
    element('small', excerptOf(text, words), words),
  );
  item.append(link);
  return item;
}

/** Returns an element with a text, in which the words are marked. */
function element(name: string, text: string, words: readonly string[]): HTMLElement {
  const made = document.createElement(name);
  const pattern = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)).join('|');
  const pieces = pattern === '' ? [text] : text.split(new RegExp(`(${pattern})`, 'i'));
  made.append(
    ...pieces.map((piece, place) => {
      if (place % 2 === 0) return piece;
      const mark = document.createElement('mark');
      mark.textContent = piece;
      return mark;
    }),
  );
  return made;
}

const search = document.querySelector<HTMLElement>('.search');
if (search !== null) setUp(search);

// A link of the list of guides may lead to the page that is shown already.
const guides = document.getElementById('guide-list');
guides?.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('a') !== null && guides.matches(':popover-open'))
    guides.hidePopover();
});
