import type { Links } from './links.ts';
import type { People } from './people.ts';
import type { Words } from './words.ts';

/** HTML tags that stay in a text; anything else in angle brackets is text. */
const tags = new Set(
  (
    'a abbr article aside b blockquote br code col dd del details div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i iframe ' +
    'img ins kbd li main mark nav ol p pre q s section small source span strong sub summary sup table tbody td tfoot th thead time tr u ul var video'
  ).split(' '),
);

/**
 * The parts of a text: web addresses, e-mail addresses, entities, tags and words. A word is anything without
 * whitespace and punctuation, in any script.
 */
const parts =
  /(?<url>\bhttps?:\/\/[^\s<>"'()[\]]+)|(?<email>[^\s<>@()[\]"',;:]{1,64}@[^\s<>@()[\]"',;:]{1,200}\.[a-z]{2,24}\b)|(?<entity>&(?:amp|lt|gt|quot|nbsp|#39);)|<(?<end>\/?)(?<tag>[a-z][a-z0-9]*)(?<rest>[^<>]{0,2000})>|(?<word>[^\s\p{P}!-/:-@[-`{-~]+)/giu;

/** Masks free text, Markdown and HTML: replaces words with others of the same length, and leaves the rest. */
export class Texts {
  readonly #words: Words;
  readonly #people: People;
  readonly #links: Links;

  constructor(words: Words, people: People, links: Links) {
    this.#words = words;
    this.#people = people;
    this.#links = links;
  }

  mask(text: string): string {
    let number = 0;
    const word = (found: string): string => this.#word(found, text, (number += 1));
    const plain = (found: string): string => found.replaceAll(/[^\s\p{P}!-/:-@[-`{-~]+/gu, word);
    const masked = ({ 0: found, groups = {} }: RegExpExecArray): string => {
      if (groups['entity'] !== undefined) return found;
      if (groups['url'] !== undefined) return this.#links.link(found);
      if (groups['email'] !== undefined) return this.#people.email(found);
      const { tag, end = '', rest: attributes = '' } = groups;
      if (tag === undefined) return word(found);
      return tags.has(tag.toLowerCase()) ? `<${end}${tag}${this.#attributes(attributes)}>` : plain(found);
    };
    let replaced = '';
    let from = 0;
    for (const match of text.matchAll(parts)) {
      replaced += text.slice(from, match.index) + masked(match);
      from = match.index + match[0].length;
    }
    return replaced + text.slice(from);
  }

  /** Removes all attributes except links, which are replaced. */
  #attributes(text: string): string {
    const kept = [...text.matchAll(/\b(href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)];
    const links = kept.map(
      ([, name = '', one, other]) => ` ${name}="${this.#links.link(one ?? other ?? '')}"`,
    );
    return `${links.join('')}${text.trimEnd().endsWith('/') ? ' /' : ''}`;
  }

  /** Returns a word for a position in a text, so that the same word has different replacements. */
  #word(found: string, text: string, place: number): string {
    if (place === 1) this.#words.about('text', text);
    if (/^\d+$/.test(found)) return this.#words.digits(found.length);
    const made = this.#words.word(found.length);
    if (found.length > 1 && found === found.toUpperCase() && found !== found.toLowerCase())
      return made.toUpperCase();
    return /^\p{Lu}/u.test(found) ? `${made.slice(0, 1).toUpperCase()}${made.slice(1)}` : made;
  }
}
