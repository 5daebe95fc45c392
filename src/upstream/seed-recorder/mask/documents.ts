import { parseJson } from '../../../contract/envelope.ts';
import { isObject } from '../../../base/is-object.ts';

/** The vocabulary of rich-text documents: names and types of their parts. It contains no personal data. */
const vocabulary = new Set(
  (
    'align attrs blockquote blocks bold body bulletList bullet_list callout children code codeBlock code_block color colspan content data depth doc ' +
    'embed entityMap figure hardBreak hard_break heading height horizontalRule horizontal_rule href html id image inlineStyleRanges italic ' +
    'items key kind label language layout leaf level link list listItem list_item marks markdown media mention name nodes object orderedList ordered_list ' +
    'paragraph root rowspan rule section spans src start strike strong style styles table tableCell tableHeader tableRow table_cell table_row target ' +
    'taskItem taskList text textAlign textStyle title type underline unstyled url value version video width youtube'
  ).split(' '),
);

const deepest = 100;

/** How to mask the parts of a value of any shape. */
interface Ways {
  readonly text: (text: string) => string;
  readonly link: (address: string) => string;
  readonly number: (value: number) => number;
  /** Returns a name for an unknown field. */
  readonly field: (name: string) => string;
}

/** Masks a document serialized as JSON: same structure, other texts. Anything else is masked as text. */
export function maskDocument(serialised: string, ways: Ways): string {
  const parsed = parseJson(serialised);
  return typeof parsed === 'object' && parsed !== null
    ? JSON.stringify(maskAnything(parsed, ways))
    : ways.text(serialised);
}

/**
 * Numbers for formatting, such as the level of a heading. Larger ones could be anything, such as a telephone
 * number.
 */
const plainNumber = 100;

/**
 * Masks any value: small numbers, booleans and the vocabulary of documents stay; all other numbers, texts and
 * field names are replaced.
 */
export function maskAnything(value: unknown, ways: Ways, name = '', depth = 0): unknown {
  if (typeof value === 'string') return maskString(value, ways, name);
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) <= plainNumber ? value : ways.number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return null;
  if (Array.isArray(value)) return value.map((member) => maskAnything(member, ways, name, depth + 1));
  const made: Record<string, unknown> = {};
  for (const [field, part] of Object.entries(isObject(value) ? value : {})) {
    const wanted = vocabulary.has(field) ? field : ways.field(field);
    made[freeName(wanted, made)] = maskAnything(part, ways, field, depth + 1);
  }
  return made;
}

function maskString(text: string, ways: Ways, name: string): string {
  if ((name === 'type' || name === 'object' || name === 'kind') && vocabulary.has(text)) return text;
  return name === 'href' || name === 'src' || name === 'url' ? ways.link(text) : ways.text(text);
}

function freeName(wanted: string, made: object): string {
  let name = wanted;
  for (let number = 2; Object.hasOwn(made, name); number += 1) name = `${wanted}${number}`;
  return name;
}
