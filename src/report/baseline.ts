import { SandboxError } from '../base/errors.ts';
import { printableJson } from '../base/escape.ts';
import { isObject } from '../base/is-object.ts';
import { problemsIn } from './problems.ts';
import type { Report } from './report.ts';
import type { KnownFinding, Thresholds } from './thresholds.ts';

const format = 'learning-platform-sandbox/baseline';
const version = 1;

/** Returns the findings of a report as a baseline. */
export function toBaseline(report: Report): string {
  return toBaselineText(problemsIn(report));
}

/** Returns findings as a baseline: one line each, in a stable order, so that diffs are small. */
export function toBaselineText(all: readonly KnownFinding[]): string {
  const messages = new Map(all.map(({ id, message }) => [id, message]));
  const findings = [...messages]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, message]) => `    ${printableJson(JSON.stringify({ id, message }))}`);
  const list = findings.length === 0 ? '[]' : `[\n${findings.join(',\n')}\n  ]`;
  return `{\n  "format": "${format}",\n  "version": ${version},\n  "findings": ${list}\n}\n`;
}

/** Returns thresholds that the findings of a report do not miss. */
export function withFindings(thresholds: Thresholds, report: Report): Thresholds {
  return { ...thresholds, baseline: [...(thresholds.baseline ?? []), ...problemsIn(report)] };
}

/** Parses a baseline. Throws SandboxError if the text is not a baseline. `path` is for messages. */
export function readBaseline(text: string, path: string): readonly KnownFinding[] {
  const wrong = (why: string): SandboxError =>
    new SandboxError(`--baseline ${JSON.stringify(path)} ${why} Create a baseline with --write-baseline.`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw wrong('is not JSON.');
  }
  if (!isObject(json) || json['format'] !== format) throw wrong('is not a baseline of lp-sandbox.');
  if (json['version'] !== version)
    throw wrong(`has version ${JSON.stringify(json['version'])}, but this program reads version ${version}.`);
  const { findings } = json;
  if (!Array.isArray(findings) || !findings.every(isKnownFinding))
    throw wrong('must have a list "findings", each with "id" and "message".');
  return findings;
}

function isKnownFinding(value: unknown): value is KnownFinding {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['message'] === 'string';
}
