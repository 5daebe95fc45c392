import { bodyOf, type Verdict } from './verdict.ts';
import { shapeOf } from './template.ts';
import type { Reading } from './model/infer.ts';

type BodyName = 'refusalBody' | 'gatewayRefusalBody';

/** Whether a response was JSON with a message: an option without a template. */
export function hasMessage(seen: string): boolean {
  return seen.endsWith(' !message-json') || seen.endsWith(' !error-json');
}

/** Whether a response was JSON that a template may have. */
export function mayBeTemplate(seen: string): boolean {
  return hasMessage(seen) || seen.endsWith(' !template');
}

/** Returns the response, as if its body were of a template. */
export function asTemplate(seen: string): string {
  return seen.replace(/ !(?:message|error)-json$/, ' !template');
}

/**
 * Settles that JSON with a message is of the option `template` if all such refusals have the same further members. If
 * they differ, no template can express them all, so the option with the message alone stays.
 */
export function withOwnMembers(
  verdicts: readonly Verdict[],
  readings: readonly Reading[],
): readonly Verdict[] {
  const service = shapesOf('refusalBody', readings);
  const gateway = shapesOf('gatewayRefusalBody', readings);
  const option = verdicts.find(({ name }) => name === 'refusalBody')?.option ?? null;
  const isOwn = isMessage(option) && isOneTemplate(service);
  return verdicts.map((verdict) => {
    if (verdict.name === 'refusalBody') return isOwn ? settledAs('template', verdict) : verdict;
    if (verdict.name !== 'gatewayRefusalBody') return verdict;
    const form = verdict.option === 'as-refusals' ? option : verdict.option;
    if (!isMessage(form) || gateway.size === 0) return verdict;
    if (isOneTemplate(gateway)) {
      const isShared = isOwn && gateway.has([...service][0] ?? null);
      return settledAs(isShared ? 'as-refusals' : 'template', verdict);
    }
    return isOwn && gateway.has(null) && gateway.size === 1 ? settledAs(form, verdict) : verdict;
  });
}

function settledAs(option: string, verdict: Verdict): Verdict {
  return { ...verdict, option, left: [option], why: null, oddity: null };
}

function isMessage(option: string | null): option is 'message-json' | 'error-json' {
  return option === 'message-json' || option === 'error-json';
}

/** Returns the shapes of the bodies with a message; null for those with the message alone. */
function shapesOf(name: BodyName, readings: readonly Reading[]): ReadonlySet<string | null> {
  const bodies = readings.filter((reading) => hasMessage(reading.seen) && bodyOf(reading) === name);
  return new Set(bodies.map(({ ownForm }) => (ownForm === undefined ? null : shapeOf(ownForm))));
}

function isOneTemplate(shapes: ReadonlySet<string | null>): boolean {
  return shapes.size === 1 && !shapes.has(null);
}
