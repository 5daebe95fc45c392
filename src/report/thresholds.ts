import { didYouMean } from '../base/did-you-mean.ts';
import { SandboxError } from '../base/errors.ts';
import { checks } from './checks/index.ts';
import { figuresOf } from './figures.ts';
import type { Report } from './report.ts';

/** The limits that a run must keep to succeed. */
export interface Thresholds {
  /**
   * `violations`, `response-violations` (by the upstream of a proxy), `conduct` for every check, or the names
   * of single checks.
   */
  readonly failOn: readonly string[];
  /** Minimum percentage of met situations. */
  readonly minCoverage: number;
}

const known: readonly string[] = [
  'violations',
  'response-violations',
  'conduct',
  ...checks.map(({ check }) => check),
];

/** Parses names such as `violations,retry-after`. Throws SandboxError for an unknown name. */
export function readFailOn(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new SandboxError(
      `Unknown name in --fail-on: ${JSON.stringify(name)}.${didYouMean(name, known)} Known: ${known.join(', ')}.`,
    );
  }
  return names;
}

/** Returns a sentence for each threshold that a report misses. */
export function missedThresholds(report: Report, { failOn, minCoverage }: Thresholds): readonly string[] {
  const { situations } = report;
  const { violations: count, responseViolations: ofUpstream, broken: all } = figuresOf(report);
  const broken = all.filter(({ check }) => failOn.includes('conduct') || failOn.includes(check));
  return [
    ...(failOn.includes('violations') && count > 0
      ? [`The client violated the contract (violations: ${count}; allowed: 0).`]
      : []),
    ...(failOn.includes('response-violations') && ofUpstream > 0
      ? [`The upstream violated the contract (violations: ${ofUpstream}; allowed: 0).`]
      : []),
    ...broken.map(({ check, title }) => `The client failed the check ${check} (${title}).`),
    ...(situations.percent < minCoverage
      ? [
          `The client met ${situations.met} of ${situations.of} situations (${situations.percent} %); ${minCoverage} % are required.`,
        ]
      : []),
  ];
}
