import { SandboxError } from '../base/errors.ts';
import { readBaseline } from '../report/baseline.ts';
import { readAllow, readFailOn, type MinCoverage, type Thresholds } from '../report/thresholds.ts';
import { aNumber, readValue } from '../settings/value-rule.ts';
import { readNamedFile } from '../store/text-file.ts';
import type { Given } from './command.ts';

/** Reads the thresholds, and the baseline from its file. Throws SandboxError for usage errors. */
export function readThresholds(given: Given): Thresholds {
  const failOn = (given.get('fail-on') ?? []).flatMap(readFailOn);
  const allow = (given.get('allow') ?? []).flatMap(readAllow);
  for (const flag of ['allow', 'baseline'])
    if (given.has(flag) && failOn.length === 0)
      throw new SandboxError(
        `--${flag} has no effect without --fail-on, for example --fail-on violations,conduct.`,
      );
  return {
    failOn,
    allow,
    minCoverage: readMinCoverage(given.get('min-coverage')?.at(-1)),
    baseline: baselineOf(given),
  };
}

function baselineOf(given: Given): NonNullable<Thresholds['baseline']> {
  const path = given.get('baseline')?.at(-1);
  if (path === undefined) return [];
  const text = readNamedFile(path, '--baseline');
  if (text !== null) return readBaseline(text, path);
  // A run may create the baseline that the next one reads.
  if (given.get('write-baseline')?.at(-1) === path) return [];
  throw new SandboxError(
    `--baseline ${JSON.stringify(path)} does not exist. Create a baseline with --write-baseline.`,
  );
}

const percent = aNumber('a number from 0 to 100', (value) => value >= 0 && value <= 100);

function readMinCoverage(text: string | undefined): MinCoverage {
  if (text === undefined) return {};
  if (!text.includes('=')) return { all: readValue(percent, '--min-coverage', text) };
  const parts = text.split(',').map((part) => {
    const [group = '', value = ''] = part.split('=', 2).map((side) => side.trim());
    if (group !== 'operations' && group !== 'failures')
      throw new SandboxError(
        `Unknown group in --min-coverage: ${JSON.stringify(group)}. Known: operations, failures.`,
      );
    return [group, readValue(percent, `--min-coverage ${group}`, value)] as const;
  });
  return Object.fromEntries(parts);
}
