/** An element of XML, or of HTML that is written like it. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** All text in it. */
  readonly text: string;
}

interface Open {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const token =
  /<(\/?)([a-z][a-z0-9-]*)((?:\s+[a-z-]+="[^"<]*")*)\s*(\/?)>|<!doctype html>|<\?xml [^>]*\?>|([^<]+)/y;
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/u;

/** Reads markup strictly, some elements being ones that have no end. Throws where it is not well-formed. */
export function readMarkup(source: string, endless: readonly string[] = []): Element {
  if (impossible.test(source)) throw new Error('It has a character that cannot be in markup.');
  const root: Open = { name: '', attributes: {}, children: [], text: '' };
  const open: Open[] = [root];
  token.lastIndex = 0;
  while (token.lastIndex < source.length) {
    const at = token.lastIndex;
    const found = token.exec(source);
    if (found === null)
      throw new Error(`It is not well-formed at ${JSON.stringify(source.slice(at, at + 80))}.`);
    const [, slash, name, attributes = '', isEmpty, text] = found;
    const last = open.at(-1) ?? root;
    if (text !== undefined) for (const one of open) one.text += decoded(text);
    else if (slash === '/') {
      if (open.pop()?.name !== name) throw new Error(`</${name}> ends ${last.name}.`);
    } else if (name !== undefined) {
      const element: Open = { name, attributes: attributesIn(attributes), children: [], text: '' };
      last.children.push(element);
      if (isEmpty !== '/' && !endless.includes(name)) open.push(element);
    }
  }
  const [document, ...more] = root.children;
  if (open.length > 1 || document === undefined || more.length > 0)
    throw new Error('It must be one element, and end.');
  return document;
}

/** The page as markup. */
export function readHtml(source: string): Element {
  return readMarkup(source, ['meta']);
}

/** All elements of a name in another, from the first to the last. */
export function all(within: Element, name: string): readonly Element[] {
  return within.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);
}

function attributesIn(source: string): Readonly<Record<string, string>> {
  const pairs = [...source.matchAll(/([a-z-]+)="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, decoded(value)] as const,
  );
  if (new Set(pairs.map(([name]) => name)).size !== pairs.length)
    throw new Error(`An attribute is there twice: ${source}`);
  return Object.fromEntries(pairs);
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function decoded(text: string): string {
  return text.replaceAll(/&([#\w]*;?)/g, (whole, name: string) => {
    const character = entities[name.slice(0, -1)];
    if (character === undefined || !name.endsWith(';')) throw new Error(`${whole} is no entity.`);
    return character;
  });
}
