import { assumptions } from '../../assumptions.ts';
import { oneLine } from '../../base/escape.ts';
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
  return table(['probe', 'calls', 'what is sent'], rows);
}

/** Renders the detected options, then the undetected ones, then a summary. */
export function toTable(verdicts: readonly Verdict[]): string {
  const told = verdicts.filter(({ option }) => option !== null);
  const untold = verdicts.filter(({ option }) => option === null);
  const rows = told.map(({ name, option, evidence }) => [
    name,
    `${option}${assumptions[name].default === option ? '' : ' *'}`,
    oneLine(evidence.join('; '), widest) || 'no other option matches the responses',
  ]);
  const parts = [
    ...(told.length === 0 ? [] : [table(['assumption', 'option', 'evidence'], rows)]),
    ...(untold.length === 0
      ? []
      : [
          table(
            ['not told', 'may be', 'why'],
            untold.map(({ name, left, why }) => [name, left.join(' or '), oneLine(why ?? '')]),
          ),
        ]),
    `${told.length} of ${verdicts.length} assumptions told, ${told.filter(({ name, option }) => option !== assumptions[name].default).length} of them (*) other than the sandbox's default.\n`,
  ];
  return parts.join('\n');
}

/** Renders the file for `start --assume-file` and `start --config`. */
export function toYaml(verdicts: readonly Verdict[], { host, from, to, calls }: Occasion): string {
  const told = verdicts.filter(({ option }) => option !== null);
  const lines = told.flatMap(({ name, option, evidence }) => [
    ...evidence.map((words) => `  # ${oneLine(words)}`),
    `  ${name}: ${quoted(option ?? '')}`,
  ]);
  const untold = verdicts.filter(({ option }) => option === null);
  return [
    `# Options of ${host}, detected by lp-sandbox calibrate from ${from} to ${to} with ${calls} calls.`,
    '# Use this file with lp-sandbox start --assume-file (or --config).',
    told.length === 0 ? 'assume: {}' : 'assume:',
    ...lines,
    ...(untold.length === 0 ? [] : ['', '# Not detected; the sandbox uses its default or --assume:']),
    ...untold.map(({ name, left, why }) => `#   ${name} (${left.join(', ')}): ${oneLine(why ?? '')}`),
    '',
  ].join('\n');
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return `${[heads, ...rows].map(line).join('\n')}\n`;
}

/** Words that YAML does not read as text. */
function quoted(option: string): string {
  return /^(\d+|yes|no|none|null|true|false)$/.test(option) ? `'${option}'` : option;
}
