/** Returns a text in which every part of a key is replaced. */
export type Mask = (text: string) => string;

/** The shortest part of a key that is masked, in characters. */
const shortest = 5;

/** Replaces a part of a key. It must not show how the key continues. */
const replacement = '[key]';

/** Encoded characters: `%73`, `%2573`, `\u0073`, `\x73`, `&#115;`, `&#x73;` and escapes such as `\/`. */
const encoded =
  /%(?:25)*([0-9a-f]{2})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#([0-9]{1,7});|\\(["\\/])/gi;

/**
 * Returns a function that masks every part of the keys of at least five characters: as it is, in other cases,
 * percent-encoded, escaped, in hexadecimal and in base64.
 */
export function maskFor(keys: readonly string[]): Mask {
  const parts = new Set(
    keys.filter((key) => key !== '').flatMap((key) => formsOf(key).flatMap((form) => partsOf(form))),
  );
  const sizes = [...new Set([...parts].map((part) => part.length))];
  return (text) => {
    const isHidden = new Uint8Array(text.length);
    for (const view of [plainView(text), decodedView(text)])
      for (const size of sizes) hide(view, size, parts, isHidden);
    return replaced(text, isHidden);
  };
}

/** Returns whether two texts share a part of at least five characters, in any case. */
export function shareParts(one: string, other: string): boolean {
  const parts = new Set(partsOf(one.toLowerCase()));
  return partsOf(other.toLowerCase()).some((part) => parts.has(part));
}

/** Returns a key as responses may repeat it, in lower case. */
function formsOf(key: string): readonly string[] {
  const cases = [...new Set([key, key.toLowerCase(), key.toUpperCase()])];
  const forms = cases.flatMap((one) => [
    one,
    encodeURIComponent(one),
    JSON.stringify(one).slice(1, -1),
    Buffer.from(one).toString('hex'),
    ...[0, 1, 2].flatMap((offset) => base64At(one, offset)),
  ]);
  return [...new Set(forms.map((form) => form.toLowerCase()))];
}

/** Returns the base64 characters that depend only on the key if `offset` other bytes come before it. */
function base64At(key: string, offset: number): readonly string[] {
  const bytes = Buffer.from(`${'x'.repeat(offset)}${key}`);
  const from = Math.ceil((offset * 8) / 6);
  const to = Math.floor((bytes.length * 8) / 6);
  return (['base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding).slice(from, to));
}

function partsOf(text: string): readonly string[] {
  const size = Math.min(shortest, text.length);
  return size === 0
    ? []
    : Array.from({ length: text.length - size + 1 }, (_, at) => text.slice(at, at + size));
}

/** A text in lower case, with the place of each of its characters in the original text. */
interface View {
  readonly text: string;
  /** Where each character begins; the last entry is the end of the text. */
  readonly places: readonly number[] | null;
}

function plainView(text: string): View {
  // Other letters than ASCII may change their length.
  return { text: text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()), places: null };
}

function decodedView(text: string): View {
  const places: number[] = [];
  let decoded = '';
  let next = 0;
  const take = (to: number): void => {
    for (; next < to; next += 1) {
      places.push(next);
      decoded += text.charAt(next);
    }
  };
  for (const match of text.matchAll(encoded)) {
    const [whole, percent, unicode, hex, entityHex, entity, escaped] = match;
    take(match.index);
    const digits = percent ?? unicode ?? hex ?? entityHex;
    const code = digits === undefined ? Number(entity) : Number.parseInt(digits, 16);
    places.push(next);
    decoded += escaped ?? (code <= 0xffff ? String.fromCharCode(code) : '\ufffd');
    next += whole.length;
  }
  take(text.length);
  return { text: plainView(decoded).text, places: [...places, text.length] };
}

/** Marks the characters of the original text that belong to parts of a size. */
function hide({ text, places }: View, size: number, parts: ReadonlySet<string>, isHidden: Uint8Array): void {
  for (let at = 0; at + size <= text.length; at += 1) {
    if (parts.has(text.slice(at, at + size)))
      isHidden.fill(1, places?.[at] ?? at, places?.[at + size] ?? at + size);
  }
}

function replaced(text: string, isHidden: Uint8Array): string {
  let shown = '';
  for (let at = 0; at < text.length; at += 1) {
    if (isHidden[at] === 0) shown += text.charAt(at);
    else if (at === 0 || isHidden[at - 1] === 0) shown += replacement;
  }
  return shown;
}
