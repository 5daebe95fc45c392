import type { Schemas } from '../api.ts';
import { formText } from '../parts/form-text.ts';

/** The groups of faults, by where they strike. */
export const groupTitles: Readonly<Record<Schemas['Fault']['group'], string>> = {
  reply: 'The reply',
  connection: 'The connection',
  batch: 'Elements of the batch',
  shape: 'The shape of the result',
};

/** Which calls are hit, and what each setting means. */
export const timings = [
  ['first', 'only the first so many calls'],
  ['skip', 'lets so many calls through first'],
  ['every', 'only every nth call; 3 hits the third, the sixth …'],
  ['times', 'at most so many times'],
  ['probability', 'the chance of each call, from 0 to 1'],
  ['ttlSeconds', "only so many seconds, on the sandbox's clock"],
] as const;

/** The rule that a form asks for; what is left empty is left out. What does not fit is for the server to say. */
export function ruleFrom(form: FormData, fault: Schemas['Fault']): Schemas['NewFaultRule'] {
  const text = (name: string): string => formText(form, name);
  const given = fault.parameters.flatMap(({ name, takes }) => member(name, text(`with.${name}`), takes === 'number'));
  const when = timings.flatMap(([name]) => member(name, text(`when.${name}`), true));
  const school = text('school');
  const phase = text('phase');
  return {
    fault: fault.name,
    operation: text('operation'),
    ...(text('id') === '' ? {} : { id: text('id') }),
    ...(school === '' ? {} : { match: { school } }),
    ...(given.length === 0 ? {} : { with: Object.fromEntries(given) }),
    ...(phase === 'before' || phase === 'after' ? { phase } : {}),
    ...(when.length === 0 ? {} : { when: Object.fromEntries(when) }),
  };
}

function member(name: string, text: string, isNumber: boolean): readonly (readonly [string, string | number])[] {
  if (text === '') return [];
  return [[name, isNumber ? Number(text) : text]];
}
