import type { AssumptionName, TemplateSetting } from '../../assumptions.ts';
import type { Mask } from '../key-mask/key-mask.ts';
import type { Reading } from './model/infer.ts';
import { bodyOf, ofNone, type Verdict } from './verdict.ts';
import { hasMessage, withOwnMembers } from './own-members.ts';
import { shown } from './shown-text.ts';
import { fitsTemplate, shapeOf, templateOf, type OwnForm } from './template.ts';

/** The templates of a service, by setting. */
export type FoundTemplates = { readonly [N in TemplateSetting]?: string };

/** Verdicts, and the templates that they need. */
export interface Judgement {
  readonly verdicts: readonly Verdict[];
  readonly templates: FoundTemplates;
  /** Bodies of refusals that no sandbox with the found templates can send. */
  readonly unfit: readonly OwnForm[];
  /** Whether a template is one that some body of a refusal contradicts, although the found one fits that body. */
  readonly contradicts: (setting: TemplateSetting, template: string) => boolean;
}

/**
 * Adds the templates of the option `template`. If the service and the gateway both have a form of their own,
 * their bodies show whether it is the same one.
 */
export function withTemplates(
  verdicts: readonly Verdict[],
  readings: readonly Reading[],
  mask: Mask,
): Judgement {
  const service = bodiesAbout('refusalBody', readings);
  const gateway = bodiesAbout('gatewayRefusalBody', readings);
  const judged = withOwnMembers(verdicts, readings);
  const optionOf = (name: AssumptionName): string | null =>
    judged.find((verdict) => verdict.name === name)?.option ?? null;
  const [oneOfService, oneOfGateway] = [service[0], gateway[0]];
  const settled = judged.map((verdict) => {
    if (!isOpen(verdict) || optionOf('refusalBody') !== 'template') return verdict;
    if (oneOfService === undefined || oneOfGateway === undefined) return verdict;
    const option = shapeOf(oneOfService) === shapeOf(oneOfGateway) ? 'as-refusals' : 'template';
    return { ...verdict, option, left: [option], why: null, oddity: null };
  });
  const ofGateway = settled.find(({ name }) => name === 'gatewayRefusalBody')?.option;
  const isShared = ofGateway === 'as-refusals';
  const unmatched = optionOf('unmatchedBody') === 'as-refusals' ? bodiesLikeOnly(service, readings) : [];
  const ownForms = {
    refusalTemplate: [...service, ...unmatched, ...(isShared ? gateway : [])],
    gatewayTemplate: gateway,
  };
  const refusal = optionOf('refusalBody') === 'template' ? templateOf(ownForms.refusalTemplate, mask) : null;
  const own = ofGateway === 'template' ? templateOf(gateway, mask) : null;
  const found = new Map<AssumptionName, ReturnType<typeof templateOf> | null>([
    ['refusalBody', refusal],
    ['gatewayRefusalBody', own],
  ]);
  const templates: FoundTemplates = {
    ...(refusal !== null && 'text' in refusal ? { refusalTemplate: refusal.text } : {}),
    ...(own !== null && 'text' in own ? { gatewayTemplate: own.text } : {}),
  };
  const isUnfit = (form: OwnForm): boolean =>
    Object.values(templates).every((template) => !fitsTemplate(template, form, mask));
  // What matches no operation is refused like everything else by the service, not like its gateway.
  const astray = readings.filter(
    ({ about, ownForm, seen }) =>
      bodyOf({ about }) === 'unmatchedBody' &&
      templates.refusalTemplate !== undefined &&
      (ownForm === undefined ? hasMessage(seen) : !fitsTemplate(templates.refusalTemplate, ownForm, mask)),
  );
  return {
    verdicts: settled.map((verdict) =>
      withRouter(withTemplate(verdict, found.get(verdict.name) ?? null), astray, mask),
    ),
    templates,
    unfit: [
      // A gateway may refuse what the service usually refuses, so any of the templates will do.
      ...(Object.keys(templates).length === 0 ? [] : [...service, ...gateway].filter(isUnfit)),
      ...astray.flatMap(({ ownForm }) => ownForm ?? []),
    ],
    contradicts: (setting, template) =>
      ownForms[setting].some(
        (form) => fitsTemplate(templates[setting] ?? '', form, mask) && !fitsTemplate(template, form, mask),
      ),
  };
}

/** The option `template` without a template would make a file that no sandbox accepts. */
function withTemplate(verdict: Verdict, found: ReturnType<typeof templateOf> | null): Verdict {
  return found === null || 'text' in found
    ? verdict
    : { ...verdict, option: null, why: found.why, oddity: 'no-template' };
}

/** Two forms of JSON can both be templates, and yet differ. */
function withRouter(verdict: Verdict, [astray]: readonly Reading[], mask: Mask): Verdict {
  if (verdict.name !== 'unmatchedBody' || verdict.option !== 'as-refusals' || astray === undefined)
    return verdict;
  const why = `${ofNone}: it has another form than the refusals of the service: ${astray.words}`;
  return { ...verdict, option: null, left: [], why: shown(why, mask), oddity: 'matches-none' };
}

/** Whether only the bodies can show if the gateway has a template of its own. */
function isOpen({ name, option, left }: Verdict): boolean {
  return name === 'gatewayRefusalBody' && option === null && left.join() === 'as-refusals,template';
}

/**
 * Returns the bodies for unmatched paths and methods that look like the refusals of a service, if those all have one
 * status: then a text that is the same in all of them, such as a code, may belong to that status alone.
 */
function bodiesLikeOnly(service: readonly OwnForm[], readings: readonly Reading[]): readonly OwnForm[] {
  const [one] = service;
  if (one === undefined || service.some(({ status }) => status !== one.status)) return [];
  return bodiesAbout('unmatchedBody', readings).filter(
    (body) => body.status !== one.status && shapeOf(body) === shapeOf(one),
  );
}

function bodiesAbout(name: AssumptionName, readings: readonly Reading[]): readonly OwnForm[] {
  return readings.flatMap(({ about, ownForm }) =>
    ownForm !== undefined && bodyOf({ about }) === name ? [ownForm] : [],
  );
}
