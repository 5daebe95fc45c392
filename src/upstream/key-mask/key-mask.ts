import { withoutPause, type SlicedWork } from '../../base/sliced-work.ts';
import { Parts } from './parts.ts';
import {
  addBytes,
  addForms,
  addWhole,
  backwards,
  maxEncodedChars,
  PartsBySize,
  shortest,
  shortestScattered,
} from './key-parts.ts';
import { joinedViews, spelledViews } from './joined-views.ts';
import { numberView, octalViews } from './number-view.ts';
import { revealNames, withoutMembers } from './public-words.ts';
import { replaced } from './replaced.ts';
import { SpelledKey, tokensOf } from './spelled-key.ts';
import { bareView, compacted, decodedView, endIn, lowerCase, startIn, type View } from './views.ts';

/** Returns a text in which every part of a key is replaced. */
export type Mask = (text: string) => string;

/** The same in slices, which are short if the text is. */
export type SlicedMask = (text: string) => SlicedWork<string>;

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
  const spelled: SpelledKey[] = [];
  for (const key of known) {
    addForms(written, lowerCase(key), 0, shortest);
    // A prefix of letters, such as sk_live_, is not secret. Without its dashes it occurs in other texts.
    const prefix = compacted(/^(?:[a-z]+_)+/i.exec(key)?.[0] ?? '');
    addForms(bare, compacted(key), prefix.length, shortestScattered);
    // Before what is secret, it is masked, too.
    if (prefix !== '') addWhole(bare, compacted(key).slice(0, prefix.length + shortest));
    addBytes(written, bare, key);
    const secret = compacted(key).slice(prefix.length, maxEncodedChars);
    spelled.push(new SpelledKey(secret), new SpelledKey(backwards(secret)));
  }
  const forms = { written, bare, spelled, smallest: Math.min(shortest, written.smallest) };
  return (text) => masking(text, forms);
}

/** The forms of keys by the views of a text in which they are searched for. */
interface Forms {
  readonly written: PartsBySize;
  readonly bare: PartsBySize;
  readonly spelled: readonly SpelledKey[];
  /** The shortest text that can contain a part. */
  readonly smallest: number;
}

/**
 * A long text is searched in windows, so that a slice is short. They overlap: a part is found in one of them, whatever
 * stands between its characters.
 */
const windowChars = 128 * 1024;
const overlapChars = 8 * 1024;

function* masking(text: string, forms: Forms): SlicedWork<string> {
  if (text.length < forms.smallest) return text;
  const isHidden = new Uint8Array(text.length);
  const isNumber = new Uint8Array(text.length);
  for (let start = 0; start === 0 || start + overlapChars < text.length; start += windowChars) {
    const end = start + windowChars + overlapChars;
    const marks = [isHidden.subarray(start, end), isNumber.subarray(start, end)] as const;
    yield* hideKeys(text.slice(start, end), forms, marks);
  }
  revealNames(text, isHidden);
  yield;
  return replaced(text, isHidden, isNumber);
}

function* hideKeys(
  text: string,
  { written, bare, spelled }: Forms,
  [isHidden, isNumber]: readonly [Uint8Array, Uint8Array],
): SlicedWork<void> {
  const views = yield* viewsOf(text);
  for (const view of views)
    for (const parts of (view.kind === 'bare' ? bare : written).all) {
      if (view.kind === 'numbers') hideNumbers(view, parts, [isHidden, isNumber]);
      else hide(text, view, parts, isHidden);
      yield;
    }
  // The last one of these is decoded.
  const decoded = views.findLast(({ kind }) => kind === 'text');
  if (decoded === undefined) return;
  const tokens = tokensOf(decoded.text);
  for (const key of spelled) {
    key.findIn(decoded.text, tokens, (from, to) => {
      for (let at = from; at < to; at += 1) isHidden.fill(1, startIn(decoded, at), endIn(decoded, at));
    });
    yield;
  }
}

/** Leaves a text as it is: there is no key. */
// oxlint-disable-next-line require-yield
export function* unmasked(text: string): SlicedWork<string> {
  return text;
}

/**
 * Returns a mask that leaves words as they are, in any case: those of the sandbox are not secret, whatever a key is
 * called.
 */
export function maskExcept(mask: Mask, words: readonly string[]): Mask {
  const open = words
    .filter((word) => word !== '')
    .map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  if (open.length === 0) return mask;
  const word = new RegExp(`(${open.join('|')})`, 'i');
  // Every second part is a word.
  return (text) =>
    text
      .split(word)
      .map((part, at) => (at % 2 === 1 ? part : mask(part)))
      .join('');
}

/** Returns whether two texts share a part of at least five characters, in any case. */
export function shareParts(one: string, other: string): boolean {
  const parts = new Parts(shortest);
  parts.addAll(lowerCase(one));
  let isShared = false;
  parts.findIn(lowerCase(other), () => (isShared = true));
  return isShared;
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
