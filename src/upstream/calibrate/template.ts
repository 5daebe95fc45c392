import { parseJson } from '../../contract/envelope.ts';
import { isObject } from '../../base/is-object.ts';
import { callPrefix } from '../../base/request-target.ts';
import { maxUses, whyNoTemplate } from '../../settings/refusal-templates.ts';
import type { Mask } from '../key-mask/key-mask.ts';
import { isAddress, isProse, isVolatile, markKind } from './member-kinds.ts';

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

/** How many of them hold the message even if it is a single word. */
const sureNames = 3;

/**
 * Returns the template for bodies of one form, with placeholders, or why they have none. It is valid for any body of
 * a service.
 */
export function templateOf(
  bodies: readonly OwnForm[],
  mask: Mask,
): { readonly text: string } | { readonly why: string } {
  const [first, ...others] = bodies.map(({ status, text }) => ({ status, body: parseJson(text) }));
  if (first === undefined || !isObject(first.body)) return { why: 'no body of a refusal was a JSON object' };
  const message = messagePath(first.body);
  const changesBetweenEqual = (path: readonly string[]): boolean =>
    isVolatile(
      [first, ...others].map(({ status, body }) => ({
        alike: JSON.stringify([status, message === undefined ? null : valueAt(body, message)]),
        text: valueAt(body, path),
      })),
    );
  const different = new Set(bodies.map(({ text }) => text));
  // An identifier of a call is another one in each body, unlike the name of a server.
  const isUnique = (path: readonly string[]): boolean =>
    new Set([first, ...others].map(({ body }) => valueAt(body, path))).size === different.size;
  const ownText = (text: string): string => mask(text.replaceAll(marks, '\ufffd'));
  const uses = new Map<string, number>();
  const placeholder = (name: string, otherwise: unknown): unknown => {
    const before = uses.get(name) ?? 0;
    if (before >= maxUses) return otherwise;
    uses.set(name, before + 1);
    return `${opening}${name}${closing}`;
  };
  const filled = (value: unknown, path: readonly string[]): unknown => {
    const own = typeof value === 'string' ? ownText(value) : value;
    if (path.join('\n') === message?.join('\n')) return placeholder('message', own);
    if (String(value) === String(first.status))
      return placeholder(typeof value === 'number' ? bareStatus : 'status', own);
    if (typeof value !== 'string') return own;
    const called = callPath.exec(value);
    if (called !== null) {
      const [whole] = called;
      const [before, after] = [value.slice(0, called.index), value.slice(called.index + whole.length)];
      return `${ownText(before)}${String(placeholder('path', ownText(whole)))}${ownText(after)}`;
    }
    if (/(request|trace|correlation)_?-?(id)?$/i.test(path.at(-1) ?? ''))
      return placeholder('requestId', own);
    const isConstant = others.length > 0 && others.every(({ body }) => valueAt(body, path) === value);
    if (isConstant) return own;
    const isOfThisCall = markKind(value) !== null || (changesBetweenEqual(path) && isUnique(path));
    // A time stays the one that was seen: the sandbox has no placeholder for it.
    if (isOfThisCall) return markKind(value) === 'time' ? own : placeholder('requestId', own);
    return others.length > 0 ? placeholder('code', own) : own;
  };
  const fill = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((member, index) => fill(member, [...path, String(index)]));
    if (!isObject(value)) return filled(value, path);
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [ownText(name), fill(one, [...path, name])]),
    );
  };
  const text = JSON.stringify(fill(first.body, []))
    // In a text of the service, braces are not placeholders.
    .replaceAll(/\{(?=\{)/g, String.raw`\u007b`)
    .replaceAll(`"${opening}${bareStatus}${closing}"`, '{{status}}')
    .replaceAll(opening, '{{')
    .replaceAll(closing, '}}');
  const why = whyNoTemplate(text);
  return why === null ? { text } : { why: `no template can express the form of its refusals: ${why}` };
}

/** The path of the call, which a service may repeat, also in a URL. */
const callPath = new RegExp(`${callPrefix}[\\w-]+`);

/** Stand around the name of a placeholder, and for a status that is a number, until the template is text. */
const opening = '\ue002';
const closing = '\ue003';
const bareStatus = '\ue004';
const marks = /[\ue002-\ue004]/g;

/** Returns the text where the message probably is, or null. */
export function messageIn({ text }: OwnForm): string | null {
  const body = parseJson(text);
  const path = messagePath(body);
  return path === undefined ? null : String(valueAt(body, path));
}

/** Returns whether a sandbox with this template could have sent a body. */
export function fitsTemplate(template: string, { text }: OwnForm, mask: Mask): boolean {
  const [wanted, body] = [bodyWith(template), parseJson(text)];
  return wanted !== undefined && body !== undefined && fits(wanted, body, mask);
}

/** Returns whether a body has the members of a template, of the same types. Lists may have any length. */
export function hasMembersOf(template: string, { text }: OwnForm, mask: Mask): boolean {
  const wanted = membersOf(bodyWith(template), (name) => name);
  const members = membersOf(parseJson(text), mask);
  return wanted.length === members.length && members.every((member) => wanted.includes(member));
}

/** Returns the places of all members with their types, each once. */
function membersOf(body: unknown, named: Mask): readonly string[] {
  const members = pathsIn(body, []).map((path) => {
    const value = valueAt(body, path);
    const type = value === bareStatus ? 'number' : typeof value;
    return JSON.stringify([path.map((name) => (/^\d+$/.test(name) ? '*' : named(name))), type]);
  });
  return [...new Set(members)];
}

/** Returns the body of a template. A placeholder outside a string stands for a number. */
function bodyWith(template: string): unknown {
  const form = template.replaceAll(/"(?:[^"\\]|\\.)*"|\{\{\w+\}\}/g, (part) =>
    part.startsWith('"') ? part.replaceAll(/\{\{\w+\}\}/g, opening) : `"${bareStatus}"`,
  );
  return parseJson(form);
}

function fits(wanted: unknown, value: unknown, mask: Mask): boolean {
  if (wanted === bareStatus) return typeof value === 'number';
  if (typeof wanted === 'string') return typeof value === 'string' && fitsText(wanted, mask(value));
  if (Array.isArray(wanted) || Array.isArray(value)) {
    if (!Array.isArray(wanted) || !Array.isArray(value) || wanted.length !== value.length) return false;
    return wanted.every((member, at) => fits(member, value[at], mask));
  }
  if (!isObject(wanted) || !isObject(value)) return wanted === value;
  const members = new Map(Object.entries(value).map(([name, member]) => [mask(name), member]));
  const names = Object.keys(wanted);
  return (
    names.length === members.size &&
    names.every((name) => members.has(name) && fits(wanted[name], members.get(name), mask))
  );
}

/** Whether a text has the parts around its placeholders, in their order. */
function fitsText(wanted: string, text: string): boolean {
  const [start = '', ...parts] = wanted.split(opening);
  const end = parts.pop();
  if (end === undefined) return text === start || (markKind(text) === 'time' && markKind(start) === 'time');
  if (!text.startsWith(start) || !text.endsWith(end)) return false;
  let at = start.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - end.length;
}

/** Returns the names of all members, and where the message is, for comparison. */
export function shapeOf({ text }: OwnForm): string {
  const body = parseJson(text);
  return JSON.stringify([pathsIn(body, []), messagePath(body)]);
}

/** How unlikely it is that a member is the message: by its name, and otherwise by whether it is a sentence. */
function rank(path: readonly string[], text: string): number {
  const after = messageNames.length;
  if (markKind(text) !== null || isAddress(text)) return after + 3;
  // A list of messages has no names.
  const name = path.findLast((part) => !/^\d+$/.test(part)) ?? '';
  const index = messageNames.findIndex((pattern) => pattern.test(name));
  // `error` may be a code, and the sentence has a name of the service.
  if (index >= 0 && (index < sureNames || isProse(text))) return index;
  if (isProse(text)) return after;
  return index >= 0 ? after + 1 : after + 2;
}

/** Returns the path of the message: the text with the likeliest name, otherwise the longest text. */
function messagePath(body: unknown): readonly string[] | undefined {
  const texts = pathsIn(body, []).flatMap((path) => {
    const value = valueAt(body, path);
    return typeof value === 'string' ? [{ path, value }] : [];
  });
  const ranked = texts.map(({ path, value }) => ({ path, at: rank(path, value), length: value.length }));
  return ranked.toSorted((one, other) => one.at - other.at || other.length - one.length)[0]?.path;
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
