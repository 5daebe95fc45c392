import { withoutPause, type SlicedWork } from '../../base/sliced-work.ts';
import { Parts } from './parts.ts';
import { ascii85After, base32After, base58Of, base64After } from './byte-forms.ts';
import { joinedViews, spelledViews } from './joined-views.ts';
import { numberView, octalViews } from './number-view.ts';
import { revealNames, withoutMembers } from './public-words.ts';
import { replaced } from './replaced.ts';
import { bareView, compacted, decodedView, endIn, lowerCase, startIn, type View } from './views.ts';

/** Returns a text in which every part of a key is replaced. */
export type Mask = (text: string) => string;

/** The same in slices, which are short if the text is. */
export type SlicedMask = (text: string) => SlicedWork<string>;

/** The shortest part of a key that is masked, in characters. */
const shortest = 5;

/** How many digits in hexadecimal, also of UTF-16, and characters in base64, hold as much. */
const shortestHex = 10;
const shortestHex16 = 18;
const shortestBase64 = 7;
const shortestBase64Of16 = 13;
const shortestBase32 = 8;
const shortestBase58 = 7;
const shortestAscii85 = 7;

/** Of longer keys, only the beginning is derived in other encodings, which takes some 50 microseconds a character. */
export const maxEncodedChars = 1024;

/** Signs of JSON and HTML between two letters of a key, which have to stay. */
const structure = /["'{}[\]<>]/;

/**
 * Returns a function that masks every part of the keys of at least five characters, whatever the text does to it:
 * text and keys are compared decoded, in lower case, forwards and backwards, once as they are and once without
 * everything but letters and digits, and numbers as the characters that they stand for. It takes time proportional to
 * the length of the text.
 */
export function maskFor(keys: readonly string[]): Mask {
  const mask = slicedMaskFor(keys);
  return (text) => withoutPause(mask(text));
}

/** Returns a function that does the same in slices. */
export function slicedMaskFor(keys: readonly string[]): SlicedMask {
  const known = keys.filter((key) => key !== '');
  if (known.length === 0) return unmasked;
  const written = new PartsBySize();
  const bare = new PartsBySize();
  for (const key of known) {
    addForms(written, lowerCase(key), 0);
    // A prefix of letters, such as sk_live_, is not secret. Without its dashes it occurs in other texts.
    const prefix = compacted(/^(?:[a-z]+_)+/i.exec(key)?.[0] ?? '');
    addForms(bare, compacted(key), prefix.length);
    // Before what is secret, it is masked, too.
    if (prefix !== '') addWhole(bare, compacted(key).slice(0, prefix.length + shortest));
    addBytes(written, bare, key);
  }
  const forms = { written, bare, smallest: Math.min(shortest, written.smallest) };
  return (text) => masking(text, forms);
}

/** The forms of keys by the views of a text in which they are searched for. */
interface Forms {
  readonly written: PartsBySize;
  readonly bare: PartsBySize;
  /** The shortest text that can contain a part. */
  readonly smallest: number;
}

function* masking(text: string, { written, bare, smallest }: Forms): SlicedWork<string> {
  if (text.length < smallest) return text;
  const isHidden = new Uint8Array(text.length);
  const isNumber = new Uint8Array(text.length);
  for (const view of yield* viewsOf(text))
    for (const parts of (view.kind === 'bare' ? bare : written).all) {
      if (view.kind === 'numbers') hideNumbers(view, parts, [isHidden, isNumber]);
      else hide(text, view, parts, isHidden);
      yield;
    }
  revealNames(text, isHidden);
  return replaced(text, isHidden, isNumber);
}

/** Leaves a text as it is: there is no key. */
// oxlint-disable-next-line require-yield
export function* unmasked(text: string): SlicedWork<string> {
  return text;
}

/** Returns a mask that leaves words as they are: those of the sandbox are not secret, whatever a key is called. */
export function maskExcept(mask: Mask, words: readonly string[]): Mask {
  const open = words.filter((word) => word !== '');
  return (text) => {
    const word = open.find((one) => text.includes(one));
    if (word === undefined) return mask(text);
    const rest = maskExcept(
      mask,
      open.filter((one) => one !== word),
    );
    return text.split(word).map(rest).join(word);
  };
}

/** Returns whether two texts share a part of at least five characters, in any case. */
export function shareParts(one: string, other: string): boolean {
  const parts = new Parts(shortest);
  parts.addAll(lowerCase(one));
  let isShared = false;
  parts.findIn(lowerCase(other), () => (isShared = true));
  return isShared;
}

class PartsBySize {
  readonly #bySize = new Map<number, Parts>();

  get all(): readonly Parts[] {
    return [...this.#bySize.values()];
  }

  get smallest(): number {
    return Math.min(...this.#bySize.keys());
  }

  ofSize(size: number): Parts {
    const known = this.#bySize.get(size) ?? new Parts(size);
    this.#bySize.set(size, known);
    return known;
  }
}

/** Adds a key forwards and backwards. Parts that end within its first `open` characters are not secret. */
function addForms(parts: PartsBySize, key: string, open: number): void {
  if (key === '') return;
  const size = Math.min(shortest, key.length);
  const ofSize = parts.ofSize(size);
  ofSize.addAll(key, open);
  ofSize.addAll(
    key
      .split('')
      .toReversed()
      .join('')
      .slice(0, key.length - Math.max(0, open - size + 1)),
  );
}

/** Adds the bytes of a key, in each case and backwards, in hexadecimal, base64, Base32, base58 and Ascii85. */
function addBytes(written: PartsBySize, bare: PartsBySize, whole: string): void {
  const key = whole.slice(0, maxEncodedChars);
  const backwards = key.split('').toReversed().join('');
  for (const form of new Set([key, key.toLowerCase(), key.toUpperCase(), backwards])) {
    for (const [bytes, hex, base64] of [
      [Buffer.from(form), shortestHex, shortestBase64],
      [Buffer.from(form, 'utf16le'), shortestHex16, shortestBase64Of16],
      // As in UTF-7.
      [Buffer.from(form, 'utf16le').swap16(), shortestHex16, shortestBase64Of16],
    ] as const) {
      for (const parts of [written, bare]) addForm(parts, bytes.toString('hex'), hex);
      for (const before of [0, 1, 2]) {
        const text = lowerCase(base64After(bytes, before));
        addForm(written, text, base64);
        addForm(written, text.replaceAll('+', '-').replaceAll('/', '_'), base64);
        addForm(bare, compacted(text), base64);
      }
    }
    addForm(written, lowerCase(base58Of(Buffer.from(form))), shortestBase58);
    for (const before of [0, 1, 2, 3])
      for (const isLast of [true, false])
        addForm(written, lowerCase(ascii85After(Buffer.from(form), before, isLast)), shortestAscii85);
    for (const before of [0, 1, 2, 3, 4]) {
      const text = lowerCase(base32After(Buffer.from(form), before));
      for (const parts of [written, bare]) addForm(parts, text, shortestBase32);
    }
  }
}

/** Adds a text forwards and backwards, of which no shorter part counts. */
function addWhole(parts: PartsBySize, text: string): void {
  addForm(parts, text, text.length);
  addForm(parts, text.split('').toReversed().join(''), text.length);
}

function addForm(parts: PartsBySize, text: string, size: number): void {
  if (text !== '') parts.ofSize(Math.min(size, text.length)).addAll(text);
}

/**
 * Returns a text as it is, decoded, without everything but letters and digits, and its numbers as characters, the last
 * two also without tags and indexes.
 */
function* viewsOf(text: string): SlicedWork<readonly View[]> {
  const plain: View = { kind: 'text', text: lowerCase(withoutMembers(text)), places: null };
  yield;
  const decoded = yield* decodedView(plain);
  const views = decoded === plain ? [plain] : [plain, decoded];
  yield* addJoined(views, decoded);
  // Decoded, some letters after a backslash are control characters.
  for (const spelled of spelledViews(plain)) yield* addJoined(views, yield* decodedView(spelled));
  return views;
}

function* addJoined(views: View[], decoded: View): SlicedWork<void> {
  for (const view of joinedViews(decoded)) {
    views.push(bareView(view));
    yield;
    views.push(numberView(view));
    yield;
    views.push(...octalViews(view));
    yield;
  }
}

/** Marks the characters of the original text that belong to parts. */
function hide(text: string, view: View, parts: Parts, isHidden: Uint8Array): void {
  // Of overlapping parts, only what is new is marked.
  let done = 0;
  parts.findIn(view.text, (end) => {
    const start = end - parts.size;
    for (let at = Math.max(done, start); at < end; at += 1) {
      isHidden.fill(1, startIn(view, at), endIn(view, at));
      const gap = [at === start ? startIn(view, at) : endIn(view, at - 1), startIn(view, at)] as const;
      if (!structure.test(text.slice(...gap))) isHidden.fill(1, ...gap);
    }
    done = end;
  });
}

/** Marks the numbers that stand for parts, but not what is between them. */
function hideNumbers(view: View, parts: Parts, marks: readonly Uint8Array[]): void {
  parts.findIn(view.text, (end) => {
    for (let at = end - parts.size; at < end; at += 1)
      for (const mark of marks) mark.fill(1, startIn(view, at), endIn(view, at));
  });
}
