import type { Violation } from '../../base/violation.ts';
import { shortened, withoutKeys } from '../../sandbox/keys.ts';
import { isSecretHeader, masked, maskedHeader, maskQuery, maskUrls, splitQuery } from '../../sandbox/secrets.ts';

/** What is shorter would be found in any text. */
const shortestSecret = 8;

/** Headers that give a request or a connection a name: bodies may well have the same one, and lose their meaning without it. */
const opensNothing = /idempotency|^sec-websocket-/;

/** A secret as it may stand in a text, and as it is shown. */
type Form = readonly [form: string, shown: string];

/** What a call must keep to itself, which is the key of a real school: it is nowhere whole where anything is kept, shown or written. */
export class Secrets {
  /** The longest first. */
  readonly #forms: readonly Form[];
  /** Those of the key; of all secrets if the header of the key is missing, as the key may be any of them. */
  readonly #keyForms: readonly Form[];

  /** `headers` are those of the request by lower-case name. */
  constructor(headers: Readonly<Record<string, string>>, query: string) {
    const { 'service-api-key': key, ...others } = headers;
    const values = [
      ...Object.entries(others).flatMap(([name, value]) => (isSecretHeader(name) && !opensNothing.test(name) ? partsOf(value) : [])),
      ...splitQuery(query).secret.map(([, value]) => decoded(value)),
    ];
    const keyForms = formsOf(key === undefined ? [] : partsOf(key), shortened);
    // Of two that are the same, the first one decides how it is shown.
    const known = new Map([...keyForms, ...formsOf(values, masked)].toReversed());
    this.#forms = [...known].toSorted(([one], [other]) => other.length - one.length);
    this.#keyForms = key === undefined ? this.#forms : keyForms;
  }

  /** The text with every secret in it masked. */
  mask(text: string): string {
    let shown = text;
    for (const [form, mask] of this.#forms) {
      if (shown.includes(form)) shown = shown.replaceAll(form, mask);
    }
    return withoutKeys(shown);
  }

  maskQuery(query: string): string {
    return this.mask(maskQuery(query));
  }

  /** Whether a text has any of the secrets in it. */
  isIn(text: string): boolean {
    return this.mask(text) !== text;
  }

  /** Whether a text has the key in it, or what may be one. */
  isKeyIn(text: string): boolean {
    return this.#keyForms.some(([form]) => text.includes(form)) || withoutKeys(text) !== text;
  }

  /** The headers as they may be kept: name, value, name, value … */
  maskHeaders(list: readonly string[]): readonly string[] {
    return list.map((text, at) => (at % 2 === 0 ? text : this.#maskHeader(list[at - 1]?.toLowerCase() ?? '', text)));
  }

  #maskHeader(name: string, value: string): string {
    return isSecretHeader(name) ? maskedHeader(name, value) : this.mask(maskUrls(value));
  }

  /** Messages quote what came, and cut long values off: a secret that was cut off is found by its beginning. */
  maskViolations(violations: readonly Violation[]): readonly Violation[] {
    return violations.map(({ pointer, message }) => ({ pointer: this.mask(pointer), message: this.#maskCut(this.mask(message)) }));
  }

  #maskCut(message: string): string {
    let shown = message;
    for (const [form, mask] of this.#forms) {
      for (let length = form.length - 1; length >= shortestSecret; length -= 1) {
        const cut = `${form.slice(0, length)}…`;
        if (shown.includes(cut)) shown = shown.replaceAll(cut, mask);
      }
    }
    return shown;
  }
}

/** A credential may stand behind the name of its scheme, or of its cookie. */
function partsOf(value: string): readonly string[] {
  const parts = value.split(/[\s,;]+/);
  return [value, ...parts, ...parts.map((part) => part.slice(part.indexOf('=') + 1))];
}

/** The value of a parameter of a query. */
function decoded(value: string): string {
  return new URLSearchParams(`v=${value}`).get('v') ?? '';
}

/** Secrets as they are, in a URL, and in JSON. */
function formsOf(values: readonly string[], shown: (secret: string) => string): readonly Form[] {
  const secrets = [...new Set(values)].filter((value) => value.length >= shortestSecret);
  return secrets.flatMap((secret) => {
    const inJson = JSON.stringify(secret).slice(1, -1);
    const forms = [
      secret,
      encodeURIComponent(secret),
      new URLSearchParams({ v: secret }).toString().slice(2),
      inJson,
      inJson.replaceAll('/', '\\/'),
    ];
    return forms.map((form) => [form, shown(secret)] as const);
  });
}
