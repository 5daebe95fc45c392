import { didYouMean } from '../base/did-you-mean.ts';
import { hiddenFieldsOf, isObject, isPlainObject } from '../base/is-object.ts';
import { describe, quoted } from '../base/violation.ts';
import { SandboxError, joinErrors } from '../base/errors.ts';
import {
  ruleFor,
  wrongWith,
  wrongWithMember,
  type MembersRule,
  type MembersRuleOf,
  type ValueRule,
} from './value-rule.ts';

type SettingRule<T> = ValueRule<T> | MembersRuleOf<T>;

/** A rule for every setting. */
export type Rules<S> = { readonly [N in keyof S]-?: SettingRule<Exclude<S[N], undefined>> };

/** Collects settings, and all errors in them. */
export class Gathering<S extends object> {
  readonly #rules: Rules<S>;
  readonly #found: Record<string, unknown> = {};
  readonly #wrong: string[] = [];

  constructor(rules: Rules<S>) {
    this.#rules = rules;
  }

  /** Adds a value from code. `name` is the caller's name for the setting. */
  takeValue(setting: keyof S & string, name: string, value: unknown): void {
    const rule = this.#rules[setting];
    if (value === undefined) return;
    if (!hasMembers(rule)) return this.#take(setting, value, name, wrongWith(rule, value));
    if (!isPlainObject(value)) {
      return this.refuse(
        `${name} must be a plain object such as ${rule.example}, but is ${describe(value)}.`,
      );
    }
    for (const hidden of hiddenFieldsOf(value, Object.keys(rule.members)))
      this.refuse(`${name}.${asTyped(hidden)} ${notOwn}`);
    for (const [member, one] of Object.entries(value)) {
      if (one !== undefined)
        this.#takeMember(
          setting,
          member,
          one,
          `${name}.${asTyped(member)}`,
          wrongWithMember(rule, member, one),
        );
    }
  }

  /**
   * Adds a text from a flag, a variable or a file. With `isNegated`, it means the opposite of the setting.
   */
  takeText(setting: keyof S & string, name: string, text: string, isNegated = false): void {
    const rule = this.#rules[setting];
    const shown = quoted(text);
    if (!hasMembers(rule)) {
      const value = rule.fromText(text);
      return this.#take(
        setting,
        isNegated && typeof value === 'boolean' ? !value : value,
        name,
        wrongWith(rule, value, shown),
      );
    }
    const members: MembersRule['members'] = rule.members;
    for (const part of text.split(',')) {
      const equals = part.includes('=') ? part.indexOf('=') : part.length;
      const member = part.slice(0, equals).trim();
      const typed = part.slice(equals + 1).trim();
      const value = ruleFor(members, member)?.fromText(typed);
      const wrong = wrongWithMember(rule, member, value, equals === part.length ? 'missing' : quoted(typed));
      this.#takeMember(setting, member, value, `${name} ${asTyped(member)}`, wrong);
    }
  }

  /** Adds an error. */
  refuse(message: string): void {
    this.#wrong.push(message);
  }

  /** Returns the settings. Throws SandboxError with all errors. */
  settings(): S {
    if (this.#wrong.length > 0) throw joinErrors(this.#wrong.map((message) => new SandboxError(message)));
    // Each value has passed the rule of its setting, so it has the type.
    return this.#found as S;
  }

  #take(setting: string, value: unknown, name: string, wrong: string | null): void {
    if (wrong === null) this.#found[setting] = value;
    else this.refuse(`${name} ${wrong}`);
  }

  #takeMember(setting: string, member: string, value: unknown, name: string, wrong: string | null): void {
    const before = this.#found[setting];
    if (wrong === null) this.#found[setting] = { ...(isObject(before) ? before : {}), [member]: value };
    else this.refuse(`${name} ${wrong}`);
  }
}

function hasMembers(rule: ValueRule<unknown> | MembersRule): rule is MembersRule {
  return 'members' in rule;
}

/** Quotes a name for a message, unless it is a plain word. */
function asTyped(name: string): string {
  return /^[\w-]{1,80}$/.test(name) ? name : quoted(name);
}

/** What is wrong with a setting that would be ignored. */
const notOwn =
  'would be ignored: it is inherited, not enumerable, or named by a symbol. Write it into the object itself, as in { port: base.port }.';

/** A function that accepts settings. */
export interface Caller {
  readonly name: string;
  /** Hints for settings with other names, by name in lower case without dashes. */
  readonly otherNames: Readonly<Record<string, string>>;
}

/** Returns settings from code. Throws SandboxError with all errors. */
export function settingsFromCode<S extends object>(
  rules: Rules<S>,
  given: unknown,
  { name, otherNames }: Caller,
): S {
  if (!isPlainObject(given))
    throw new SandboxError(`${name} requires an object with settings, but got ${describe(given)}.`);
  const gathering = new Gathering(rules);
  const known = Object.keys(rules);
  for (const hidden of hiddenFieldsOf(given, known)) gathering.refuse(`${asTyped(hidden)} ${notOwn}`);
  const unknown = Object.keys(given).filter((one) => !Object.hasOwn(rules, one));
  for (const [setting, value] of Object.entries(given)) {
    if (isSetting(rules, setting)) gathering.takeValue(setting, setting, value);
    else gathering.refuse(explainUnknown(setting));
  }
  return gathering.settings();

  function explainUnknown(setting: string): string {
    const instead = ruleFor(otherNames, setting.toLowerCase().replaceAll(/[-_]/g, ''));
    const hint = instead === undefined ? didYouMean(setting, known) : ` ${instead}`;
    // The list is long, so only the last message has it.
    const list = setting === unknown.at(-1) ? ` Known: ${known.join(', ')}.` : '';
    return `${name} has no setting ${quoted(setting)}.${hint}${list}`;
  }
}

function isSetting<S extends object>(rules: Rules<S>, name: string): name is keyof S & string {
  return Object.hasOwn(rules, name);
}
