import { ControlProblem, type Schemas } from '../api.ts';
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

/** The choice of the operation that stands for a choice of several. */
export const several = '-';

/** The rule that a form asks for; what is left empty is left out. What does not fit is for the server to say; throws ControlProblem for what is no JSON. */
export function ruleFrom(form: FormData, fault: Schemas['Fault']): Schemas['NewFaultRule'] {
  const text = (name: string): string => formText(form, name);
  const given = fault.parameters.flatMap(({ name, takes }) => member(name, text(`with.${name}`), takes === 'number'));
  const between = [text('between.0'), text('between.1')];
  const when = [
    ...timings.flatMap(([name]) => member(name, text(`when.${name}`), true)),
    ...(between.join('') === '' ? [] : [['between', between] as const]),
  ];
  const match = [
    ...member('school', text('school'), false),
    ...member('key', text('key'), false),
    ...(text('parameters') === '' ? [] : [['parameters', parametersIn(text('parameters'))] as const]),
  ];
  const phase = text('phase');
  return {
    fault: fault.name,
    operation: text('operation') === several ? form.getAll('operations').map(String) : text('operation'),
    ...(text('id') === '' ? {} : { id: text('id') }),
    ...(match.length === 0 ? {} : { match: Object.fromEntries(match) }),
    ...(given.length === 0 ? {} : { with: Object.fromEntries(given) }),
    ...(phase === 'before' || phase === 'after' ? { phase } : {}),
    ...(when.length === 0 ? {} : { when: Object.fromEntries(when) }),
  };
}

function member(name: string, text: string, isNumber: boolean): readonly (readonly [string, string | number])[] {
  if (text === '') return [];
  return [[name, isNumber ? Number(text) : text]];
}

function parametersIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const violations = [{ pointer: '/match/parameters', message: 'cannot be read as JSON; a text stands between double quotes.' }];
    throw new ControlProblem({ status: 0, title: 'Not JSON', detail: 'The parameters are not JSON.', violations });
  }
}

/** A rule as it was asked for; what became of it is left out. */
export function asAsked(rule: Schemas['FaultRule']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(rule).filter(([name]) => !['scenario', 'matched', 'fired'].includes(name)));
}
