import { parseJson } from '../../contract/envelope.ts';
import { isObject } from '../../base/is-object.ts';
import { templateRule } from '../../settings/refusal-templates.ts';
import { wrongWith } from '../../settings/value-rule.ts';
import type { Mask } from '../key-mask/key-mask.ts';

/** The body of a refusal that matches no form of the sandbox. */
export interface OwnForm {
  readonly status: number;
  readonly text: string;
}

/** Names of members that hold the message, the likeliest first. */
const messageNames = [
  /^(error_?)?(message|msg)$/i,
  /^(error_?)?(detail|details|description|reason|text)$/i,
  /message|description|detail/i,
  /^(error|title|fault)$/i,
];

/** Returns the template for bodies of one form, with placeholders; null if it is no valid template. */
export function templateOf(bodies: readonly OwnForm[], mask: Mask): string | null {
  const [first, ...others] = bodies.map(({ status, text }) => ({ status, body: parseJson(text) }));
  if (first === undefined || !isObject(first.body)) return null;
  const message = messagePath(first.body);
  const fill = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((member, index) => fill(member, [...path, String(index)]));
    if (isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [mask(name), fill(one, [...path, name])]),
      );
    if (path.join('\n') === message?.join('\n')) return '{{message}}';
    if (String(value) === String(first.status)) return typeof value === 'number' ? bareStatus : '{{status}}';
    if (typeof value !== 'string') return value;
    if (/(request|trace|correlation)_?-?(id)?$/i.test(path.at(-1) ?? '')) return '{{requestId}}';
    return others.some(({ body }) => valueAt(body, path) !== value) ? '{{code}}' : mask(value);
  };
  const text = JSON.stringify(fill(first.body, [])).replaceAll(`"${bareStatus}"`, '{{status}}');
  return wrongWith(templateRule, text) === null ? text : null;
}

/** Stands for a status that is a number, until the template is text. */
const bareStatus = '\ue002';

/** Returns the names of all members, and where the message is, for comparison. */
export function shapeOf({ text }: OwnForm): string {
  const body = parseJson(text);
  return JSON.stringify([pathsIn(body, []), messagePath(body)]);
}

/** The place of a member among the names of messages. */
function rank(path: readonly string[]): number {
  const index = messageNames.findIndex((pattern) => pattern.test(path.at(-1) ?? ''));
  return index < 0 ? messageNames.length : index;
}

/** Returns the path of the message: the text with the likeliest name, otherwise the longest text. */
function messagePath(body: unknown): readonly string[] | undefined {
  const texts = pathsIn(body, []).filter((path) => typeof valueAt(body, path) === 'string');
  const lengthAt = (path: readonly string[]): number => String(valueAt(body, path)).length;
  return texts.toSorted((one, other) => rank(one) - rank(other) || lengthAt(other) - lengthAt(one))[0];
}

function pathsIn(value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]));
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((part, name) => {
    if (Array.isArray(part)) return part[Number(name)];
    return isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined;
  }, value);
}
