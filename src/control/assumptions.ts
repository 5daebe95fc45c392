import {
  assumptionNames,
  assumptions,
  chooseOptions,
  profiles,
  type Options,
  type PartialOptions,
  type ProfileName,
  type TemplateSetting,
} from '../assumptions.ts';
import type { components } from '../contract/generated/control.ts';
import type { CheckSource } from '../contract/parameter-checks.ts';
import { pointerTo, type Violation } from '../base/violation.ts';
import { ViolationList } from '../contract/violation-list.ts';
import { ValidationError } from '../base/errors.ts';
import { fixedValues } from '../operations/shared/open-values.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ServerLimits } from '../base/server-limits.ts';
import { assumptionRule, profileRule } from '../settings/assumption-rules.ts';
import { missingTemplate, templateRule, type Templates } from '../settings/refusal-templates.ts';
import { ruleFor, wrongWith, wrongWithMember } from '../settings/value-rule.ts';
import { refuse } from './fitting.ts';
import { whenFree, type Working } from './work.ts';

/** Returns every assumption with its question, its options and the chosen option. */
export function listAssumptions({ options, templates }: Sandbox): components['schemas']['AssumptionList'] {
  // A copy, because callers may modify it.
  return structuredClone({
    assumptions: assumptionNames.map((name) => ({ name, ...assumptions[name], chosen: options[name] })),
    templates,
    profiles,
    fixedValues: fixedValues((name) => options[name]),
  });
}

type ChosenOptions = components['schemas']['ChosenOptions'];

/** The texts of a request; undefined for those that stay. */
type GivenTemplates = { readonly [N in TemplateSetting]?: string | null | undefined };

/** What changing options needs from a request. */
interface Choosing extends Working {
  readonly parts: Working['parts'] & { readonly checkSource: CheckSource };
}

/**
 * Sets the options of some assumptions and the texts of their option `template`; leaves the others. Throws
 * ValidationError for an unknown name or option, and for an invalid text.
 */
export async function changeAssumptions(
  sandbox: Sandbox,
  choosing: Choosing,
  { refusalTemplate, gatewayTemplate, ...chosen }: ChosenOptions,
): Promise<void> {
  const options = { ...sandbox.options, ...checkOptions(chosen, '', sandbox.caps) };
  const templates = checkTemplates({ refusalTemplate, gatewayTemplate }, sandbox.templates, options);
  const checks = await choosing.parts.checkSource.checksUnder(options);
  await whenFree(choosing, sandbox, () => sandbox.choose(options, checks, templates));
}

/** Sets the options of a profile; all other assumptions get their defaults. */
export async function chooseProfile(sandbox: Sandbox, choosing: Choosing, profile: unknown): Promise<void> {
  const options = chooseOptions(checkProfile(profile));
  const checks = await choosing.parts.checkSource.checksUnder(options);
  await whenFree(choosing, sandbox, () => sandbox.choose(options, checks));
}

/** Returns the options if all are valid. `base` is their pointer in the request body. */
export function checkOptions(chosen: unknown, base: string, caps: ServerLimits): PartialOptions {
  const list = new ViolationList(caps.violations);
  for (const [name, option] of Object.entries<unknown>(Object(chosen))) {
    if (ruleFor(assumptionRule.members, name)?.accepts(option) === true) continue;
    list.add(pointerTo(base, name), () => wrongWithMember(assumptionRule, name, option) ?? '');
  }
  refuse('The options are invalid.', list);
  // Each name is an assumption, and each option belongs to its assumption.
  return chosen as PartialOptions;
}

/**
 * Returns the texts of the option `template`: the given ones, else those of before. Throws ValidationError if one
 * is invalid, or missing though an option needs it.
 */
export function checkTemplates(given: GivenTemplates, before: Templates, options: Options): Templates {
  const violations: Violation[] = [];
  const textFor = (setting: TemplateSetting): string | null => {
    const { [setting]: text = before[setting] } = given;
    const message = text === null ? null : wrongWith(templateRule, text);
    if (message !== null) violations.push({ pointer: `/${setting}`, message });
    return text;
  };
  const templates = {
    refusalTemplate: textFor('refusalTemplate'),
    gatewayTemplate: textFor('gatewayTemplate'),
  };
  const missing = missingTemplate(options, templates);
  if (missing !== null) {
    const message = `is required, because ${missing.name} is template. It must be ${templateRule.expected}.`;
    violations.push({ pointer: `/${missing.setting}`, message });
  }
  if (violations.length > 0) throw new ValidationError('The templates are invalid.', violations);
  return templates;
}

export function checkProfile(profile: unknown): ProfileName {
  if (profileRule.accepts(profile)) return profile;
  throw new ValidationError('There is no such profile.', [
    { pointer: '/profile', message: wrongWith(profileRule, profile) ?? '' },
  ]);
}
