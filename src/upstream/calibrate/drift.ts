import { assumptionNames, templateSettings, type PartialOptions } from '../../assumptions.ts';
import { oneLine } from '../../base/escape.ts';
import { textTable } from '../../base/text-table.ts';
import { flagOf } from '../../settings/refusal-templates.ts';
import type { Verdict } from './verdict.ts';
import type { FoundTemplates, Judgement } from './templates.ts';

/** An option or a template that differs from the one in the file. */
interface Change {
  readonly name: string;
  readonly before: string;
  readonly now: string;
  readonly evidence: readonly string[];
}

/** What a service does differently from an assume file. */
export interface Drift {
  readonly changes: readonly Change[];
  /** Options in the file that could not be determined now, with the reason. */
  readonly unchecked: readonly { readonly name: string; readonly before: string; readonly why: string }[];
}

/** Compares verdicts with the options and the templates of an assume file. */
export function driftFrom(
  { options, templates: before }: { readonly options: PartialOptions; readonly templates: FoundTemplates },
  { verdicts, templates: now, contradicts }: Judgement,
): Drift {
  const known = verdicts.flatMap(({ name, ...verdict }) => {
    const option = options[name];
    return option === undefined ? [] : [{ name, before: option, ...verdict }];
  });
  const texts = Object.values(templateSettings).flatMap((setting): readonly Change[] => {
    const [old, found] = [before[setting], now[setting]];
    if (old === undefined || found === undefined || old.trim() === found) return [];
    // From fewer refusals, a template has fewer placeholders.
    if (!contradicts(setting, old.trim())) return [];
    return [{ name: flagOf(setting), before: old.trim(), now: found, evidence: [] }];
  });
  return {
    changes: [
      ...known.filter(isChanged).map(({ name, before: old, option, left, evidence, why, oddity }) => ({
        name,
        before: old,
        now: option ?? (oddity === 'matches-none' ? 'none of the options' : left.join(' or ')),
        evidence: option === null && why !== null ? [why] : evidence,
      })),
      ...texts,
    ],
    unchecked: known
      .filter((one) => one.option === null && !isChanged(one))
      .map(({ name, before: old, why }) => ({ name, before: old, why: why ?? '' })),
  };
}

/** Whether the option in the file is ruled out: by another one, by what remains, or because none matches. */
function isChanged({
  before,
  option,
  left,
  oddity,
}: Pick<Verdict, 'option' | 'left' | 'oddity'> & { readonly before: string }): boolean {
  if (option !== null) return option !== before;
  return oddity === 'matches-none' || !left.includes(before);
}

/** Maximum width of evidence on a terminal. */
const widest = 110;

/** Renders the changes, then what could not be checked. */
export function toDriftTable({ changes, unchecked }: Drift, file: string, { verdicts }: Judgement): string {
  const changed = changes.map(({ name, before, now, evidence }) => [
    name,
    oneLine(before, widest),
    oneLine(now, widest),
    oneLine(evidence.join('; '), widest),
  ]);
  const open = unchecked.map(({ name, before, why }) => [name, before, oneLine(why)]);
  const told = verdicts.filter(({ option }) => option !== null).length;
  const count = changes.length === 1 ? '1 change' : `${changes.length} changes`;
  return [
    ...(changed.length === 0 ? [] : [textTable(['changed', 'in the file', 'now', 'evidence'], changed)]),
    ...(open.length === 0 ? [] : [textTable(['not determined now', 'in the file', 'why'], open)]),
    `${count} from ${file}; ${told} of ${assumptionNames.length} assumptions determined now.\n`,
  ].join('\n');
}
