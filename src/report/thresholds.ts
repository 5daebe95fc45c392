import { didYouMean } from '../base/did-you-mean.ts';
import { SandboxError } from '../base/errors.ts';
import { checks } from './checks/index.ts';
import { figuresOf } from './figures.ts';
import type { Report } from './report.ts';

/** What a run must not have done, and how much it must have covered, to count as good. */
export interface Thresholds {
  /** `violations`, `response-violations` (of another server, behind the proxy), `conduct` for every check of it, or the names of single checks. */
  readonly failOn: readonly string[];
  /** The least per cent of situations that were met. */
  readonly minCoverage: number;
}

const known: readonly string[] = ['violations', 'response-violations', 'conduct', ...checks.map(({ check }) => check)];

/** The names in a text such as `violations,retry-after`. Throws SandboxError for one that there is not. */
export function readFailOn(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new SandboxError(`--fail-on has no ${JSON.stringify(name)}.${didYouMean(name, known)} Known: ${known.join(', ')}.`);
  }
  return names;
}

/** The thresholds that a report misses, in a sentence each. */
export function missedThresholds(report: Report, { failOn, minCoverage }: Thresholds): readonly string[] {
  const { situations } = report;
  const { violations: count, responseViolations: ofUpstream, broken: all } = figuresOf(report);
  const broken = all.filter(({ check }) => failOn.includes('conduct') || failOn.includes(check));
  return [
    ...(failOn.includes('violations') && count > 0 ? [`The client broke the contract: violations ${count}, none allowed.`] : []),
    ...(failOn.includes('response-violations') && ofUpstream > 0
      ? [`The upstream broke the contract: violations ${ofUpstream}, none allowed.`]
      : []),
    ...broken.map(({ check, title }) => `The client broke the rule ${check} (${title}).`),
    ...(situations.percent < minCoverage
      ? [
          `The client met ${situations.met} of ${situations.of} situations, which is ${situations.percent} %; ${minCoverage} % are demanded.`,
        ]
      : []),
  ];
}
