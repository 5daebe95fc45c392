import { join } from 'node:path';
import { isObject } from '../base/is-object.ts';
import { SandboxError } from '../base/errors.ts';
import { parseJson } from '../contract/envelope.ts';
import { isOperationName } from '../contract/operation-types.ts';
import { maxLatencyMs, type Latencies } from '../faults/latencies.ts';
import { latencyFile } from './seed-source.ts';
import { fileChangedAt, readTextFile } from './text-file.ts';

/** Reads the latencies of a service from a report in JSON. Throws SandboxError if there are none. */
export function readLatencies(path: string): Latencies {
  const text = readTextFile(path, '--latency-from');
  if (text === null && fileChangedAt(path) !== null)
    throw new SandboxError(
      `${path} is a folder, but --latency-from needs a file: the JSON report of lp-sandbox proxy, or ${join(path, latencyFile)} if the folder is a seed of lp-sandbox record.`,
    );
  if (text === null)
    throw new SandboxError(
      `There is no file ${path} for --latency-from. lp-sandbox proxy --report report.json writes one.`,
    );
  const report = parseJson(text);
  const listed: unknown = isObject(report) ? report['latencies'] : undefined;
  if (!Array.isArray(listed) || listed.length === 0)
    throw new SandboxError(
      `${path} has no latencies. --latency-from needs the JSON report of lp-sandbox proxy on at least one response.`,
    );
  return new Map(listed.map((member: unknown, index) => readOne(member, `${path}: /latencies/${index}`)));
}

function readOne(member: unknown, place: string): readonly [string, { p50Ms: number; p99Ms: number }] {
  const { operation, p50Ms, p99Ms } = isObject(member) ? member : {};
  if (typeof operation !== 'string' || !isOperationName(operation))
    throw new SandboxError(`${place}/operation must be the name of an operation.`);
  if (!isTime(p50Ms) || !isTime(p99Ms) || p50Ms > p99Ms)
    throw new SandboxError(
      `${place} must have "p50Ms" and "p99Ms": milliseconds from 0 to ${maxLatencyMs}, the first not greater than the second.`,
    );
  return [operation, { p50Ms, p99Ms }];
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= maxLatencyMs;
}
