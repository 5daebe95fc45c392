import { assumptions, templateSettings } from '../../assumptions.ts';
import { beyondText, type CountedBeyond } from '../../contract/beyond-counts.ts';
import { Document, Pair, Scalar, YAMLMap } from 'yaml';
import { flagOf } from '../../settings/refusal-templates.ts';
import { jsonText, oneLine } from '../../base/escape.ts';
import { textTable } from '../../base/text-table.ts';
import type { Calibration } from './calibrate.ts';
import type { Departure } from './departures.ts';
import type { Drift } from './drift.ts';
import type { Probe } from './probe.ts';
import type { Verdict } from './verdict.ts';

/** When and where the probes ran. */
export interface Occasion {
  readonly host: string;
  /** ISO 8601. */
  readonly from: string;
  readonly to: string;
  readonly calls: number;
}

/** Maximum width of evidence on a terminal. */
const widest = 110;

/** Lists every probe on one line: number of calls, description, effects. */
export function listOf(
  probes: readonly { readonly probe: Probe; readonly leftOut: string | null }[],
): string {
  const rows = probes
    .filter(({ probe }) => probe.calls > 0)
    .flatMap(({ probe: { name, calls, what, writes }, leftOut }) => [
      [
        name,
        leftOut === null ? String(calls) : '-',
        `${what}${leftOut === null ? '' : ` (left out: ${leftOut})`}`,
      ],
      ...(writes === undefined ? [] : [['', '', `WRITES: ${writes}`]]),
    ]);
  return textTable(['probe', 'calls', 'what is sent'], rows);
}

/** Renders the determined options, then the others, then a summary. */
export function toTable(verdicts: readonly Verdict[]): string {
  const told = verdicts.filter(({ option }) => option !== null);
  const untold = verdicts.filter(({ option }) => option === null);
  const rows = told.map(({ name, option, evidence }) => [
    name,
    `${option}${assumptions[name].default === option ? '' : ' *'}`,
    oneLine(evidence.join('; '), widest) || 'no other option matches the responses',
  ]);
  const parts = [
    ...(told.length === 0 ? [] : [textTable(['assumption', 'option', 'evidence'], rows)]),
    ...(untold.length === 0
      ? []
      : [
          textTable(
            ['not determined', 'may be', 'why'],
            untold.map(({ name, left, why }) => [name, left.join(' or '), oneLine(why ?? '')]),
          ),
        ]),
    `${told.length} of ${verdicts.length} assumptions determined, ${told.filter(({ name, option }) => option !== assumptions[name].default).length} of them (*) different from the sandbox's default.\n`,
  ];
  return parts.join('\n');
}

/** Lists what the service sends beyond the contract; empty if there is nothing. */
export function toBeyondTable(beyond: readonly CountedBeyond[]): string {
  if (beyond.length === 0) return '';
  const rows = beyond.map((one) => [String(one.count), one.operation, oneLine(beyondText(one), widest)]);
  return `\n${textTable(['times', 'operation', 'sent beyond the contract'], rows, [0])}`;
}

/** Lists what the service does that no option does; empty if there is nothing. */
export function toDepartureTable(departures: readonly Departure[]): string {
  if (departures.length === 0) return '';
  const rows = departures.map(({ count, what, service, sandbox }) => [
    String(count),
    oneLine(what, widest),
    oneLine(service, widest),
    sandbox,
  ]);
  return `\n${textTable(['times', 'covered by no assumption', 'service', 'sandbox'], rows, [0])}`;
}

/** Renders the file for `start --assume-file` and `start --config`. */
export function toYaml(
  { verdicts, templates, departures }: Pick<Calibration, 'verdicts' | 'templates' | 'departures'>,
  { host, from, to, calls }: Occasion,
): string {
  const told = verdicts.filter(({ option }) => option !== null);
  const untold = verdicts.filter(({ option }) => option === null);
  const assume = new YAMLMap();
  for (const { name, option, evidence } of told) {
    const key = new Scalar(name);
    if (evidence.length > 0) key.commentBefore = commentOf(evidence.map((words) => oneLine(words)));
    assume.add(new Pair(key, option));
  }
  const texts = Object.values(templateSettings).flatMap((setting) => {
    const text = templates[setting];
    return text === undefined ? [] : [[flagOf(setting), text]];
  });
  const document = new Document({ assume, ...Object.fromEntries(texts) });
  document.commentBefore = commentOf([
    `Options of ${host}, determined by lp-sandbox calibrate from ${from} to ${to} with ${calls} calls.`,
    'Use this file with lp-sandbox start --assume-file (or --config).',
  ]);
  const reasons = untold.map(
    ({ name, left, why }) => `  ${name} (${left.join(', ')}): ${oneLine(why ?? '')}`,
  );
  const others = departures.map(
    ({ what, service, sandbox }) => `  ${oneLine(what)}: ${oneLine(service)}; the sandbox: ${sandbox}`,
  );
  const lines = [
    ...(untold.length === 0 ? [] : ['Not determined; the sandbox uses its default or --assume:', ...reasons]),
    ...(others.length === 0 ? [] : ['Covered by no assumption:', ...others]),
  ];
  if (lines.length > 0) document.comment = commentOf(lines);
  return document.toString({ lineWidth: 0 });
}

function commentOf(lines: readonly string[]): string {
  return lines.map((line) => ` ${line}`).join('\n');
}

/** Renders the result as JSON. */
export function toJson(
  {
    verdicts,
    templates,
    beyond,
    departures,
  }: Pick<Calibration, 'verdicts' | 'templates' | 'beyond' | 'departures'>,
  occasion: Occasion,
  drift: Drift | null,
): string {
  const result = {
    ...occasion,
    determined: verdicts.flatMap(({ name, option, evidence }) =>
      option === null
        ? []
        : [{ assumption: name, option, isDefault: assumptions[name].default === option, evidence }],
    ),
    undetermined: verdicts.flatMap(({ name, option, left, evidence, why }) =>
      option === null ? [{ assumption: name, left, evidence, why }] : [],
    ),
    templates,
    beyondContract: beyond.map(({ source, pointer, ...one }) => ({
      ...one,
      example: { probe: source, pointer },
    })),
    uncovered: departures,
    ...(drift === null
      ? {}
      : {
          changes: drift.changes.map(({ name, ...change }) => ({ assumption: name, ...change })),
          unchecked: drift.unchecked.map(({ name, ...one }) => ({ assumption: name, ...one })),
        }),
  };
  return jsonText(result);
}
