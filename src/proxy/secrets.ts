import type { Violation } from '../contract/violation.ts';
import { shortened, withoutKeys } from '../sandbox/keys.ts';

/** Headers whose value is shortened whole: they carry the key, are likely to where a client misplaces it, or hold a session. */
const secretHeaders: ReadonlySet<string> = new Set([
  'service-api-key',
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'cookie',
  'set-cookie',
]);

/** What is shorter is no secret, and would be found in any text. */
const shortestSecret = 8;

/** What a call must keep to itself, which is the key of a real school: it is nowhere whole where anything is kept, shown or written. */
export class Secrets {
  /** Each secret as it may stand in a text, the longest first. */
  readonly #forms: readonly (readonly [form: string, shown: string])[];

  /** `headers` are those of the request by lower-case name. */
  constructor(headers: Readonly<Record<string, string>>, query: string) {
    const values = [
      ...Object.entries(headers).flatMap(([name, value]) => (secretHeaders.has(name) ? partsOf(value) : [])),
      ...inQuery(query),
    ];
    const secrets = [...new Set(values)].filter((value) => value.length >= shortestSecret);
    this.#forms = secrets
      .flatMap((secret) => formsOf(secret).map((form) => [form, shortened(secret)] as const))
      .toSorted(([one], [other]) => other.length - one.length);
  }

  /** The text with every secret in it shortened. */
  mask(text: string): string {
    let masked = text;
    for (const [form, shown] of this.#forms) {
      if (masked.includes(form)) masked = masked.replaceAll(form, shown);
    }
    return withoutKeys(masked);
  }

  maskHeader(name: string, value: string): string {
    return secretHeaders.has(name.toLowerCase()) ? shortened(value) : this.mask(value);
  }

  /** The headers as they may be kept: name, value, name, value … */
  maskHeaders(list: readonly string[]): readonly string[] {
    return list.map((text, at) => (at % 2 === 0 ? text : this.maskHeader(list[at - 1] ?? '', text)));
  }

  /** Messages quote what came, and cut long values off: a secret that was cut off is found by its beginning. */
  maskViolations(violations: readonly Violation[]): readonly Violation[] {
    return violations.map(({ pointer, message }) => ({ pointer: this.mask(pointer), message: this.#maskCut(this.mask(message)) }));
  }

  #maskCut(message: string): string {
    let masked = message;
    for (const [form, shown] of this.#forms) {
      for (let length = form.length - 1; length >= shortestSecret; length -= 1) {
        const cut = `${form.slice(0, length)}…`;
        if (masked.includes(cut)) masked = masked.replaceAll(cut, shown);
      }
    }
    return masked;
  }
}

/** A credential may stand behind the name of its scheme, or of its cookie. */
function partsOf(value: string): readonly string[] {
  const parts = value.split(/[\s,;]+/);
  return [value, ...parts, ...parts.map((part) => part.slice(part.indexOf('=') + 1))];
}

/** Values of a query that sound like a key. */
function inQuery(query: string): readonly string[] {
  return [...new URLSearchParams(query)].flatMap(([name, value]) => (/key|token|secret|auth/i.test(name) ? [value] : []));
}

/** A secret as it is, in a URL, and in JSON. */
function formsOf(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [
    ...new Set([
      secret,
      encodeURIComponent(secret),
      new URLSearchParams({ v: secret }).toString().slice(2),
      inJson,
      inJson.replaceAll('/', '\\/'),
    ]),
  ];
}
