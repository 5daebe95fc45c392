import { templateSettings, type AssumptionName, type Options, type TemplateSetting } from '../assumptions.ts';
import { fillTemplate, placeholders } from '../base/json-template.ts';
import { isObject } from '../base/is-object.ts';
import { keysOf } from '../base/keys.ts';
import type { ValueRule } from './value-rule.ts';

/** The texts of the option `template`, by setting; null for none. */
export type Templates = { readonly [N in TemplateSetting]: string | null };

export const noTemplates: Templates = { refusalTemplate: null, gatewayTemplate: null };

/** In characters. A refusal must not become much longer than its message. */
const maxChars = 4096;
/** How often a template may use one placeholder. */
export const maxUses = 2;

const names = placeholders.map((name) => `{{${name}}}`).join(', ');

/** The rule for the text of a template. */
export const templateRule: ValueRule<string> = {
  expected: `a JSON object of at most ${maxChars} characters with the placeholders ${names}`,
  accepts: (value): value is string => typeof value === 'string' && whyNoTemplate(value) === null,
  fromText: (text) => text,
  hint: (value) => (typeof value === 'string' ? ` ${whyNoTemplate(value)}` : ''),
};

/** Values that are not JSON by themselves, so that a placeholder for text must be in quotes. */
const samples = { status: 400, code: 'a-code', message: 'a "message"', requestId: 'an-id', path: '/a-path' };

/** Returns why a text cannot be a template; null if it can. */
export function whyNoTemplate(text: string): string | null {
  if (text.length > maxChars)
    return `It has ${text.length} characters, but a template can have at most ${maxChars}.`;
  const used = [...text.matchAll(/\{\{\s*(\w*)\s*\}\}/g)].map(([, name = '']) => name);
  const unknown = used.find((name) => !placeholders.some((one) => one === name));
  if (unknown !== undefined) return `There is no placeholder {{${unknown}}}.`;
  const repeated = used.find((name) => used.filter((other) => other === name).length > maxUses);
  if (repeated !== undefined) return `It uses {{${repeated}}} more than ${maxUses} times.`;
  try {
    const filled: unknown = JSON.parse(fillTemplate(text, samples));
    return isObject(filled) ? null : 'With its placeholders filled in, it is not a JSON object.';
  } catch {
    return 'With its placeholders filled in, it is not valid JSON. Put text placeholders inside quotes: "{{message}}".';
  }
}

/** The name of a template in flags and files: `refusal-template`. */
export function flagOf(setting: TemplateSetting): string {
  return setting.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the setting that an option needs, but that is missing; null if nothing is missing. */
export function missingTemplate(
  options: Options,
  templates: Templates,
): { readonly name: AssumptionName; readonly setting: TemplateSetting } | null {
  const name = keysOf(templateSettings).find(
    (one) => options[one] === 'template' && templates[templateSettings[one]] === null,
  );
  return name === undefined ? null : { name, setting: templateSettings[name] };
}
