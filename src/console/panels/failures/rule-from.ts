import { ControlProblem, type Schemas } from '../../api.ts';
import { formText } from '../../parts/form-text.ts';

/** Titles of the fault groups. */
export const groupTitles: Readonly<Record<Schemas['Fault']['group'], string>> = {
  reply: 'The response',
  connection: 'The connection',
  batch: 'Elements of the batch',
  shape: 'The shape of the result',
};

/** The count and time conditions of a rule, with help texts. */
export const timings = [
  ['first', 'affect only the first N calls'],
  ['skip', 'let the first N calls pass'],
  ['every', 'affect every Nth call; 3 means the third, the sixth …'],
  ['times', 'fire at most N times'],
  ['probability', 'the probability that a call fails, from 0 to 1'],
  ['ttlSeconds', "expire after N seconds on the sandbox's clock"],
] as const;

/** The option of the operation field that means "several". */
export const several = '-';

/**
 * Returns the rule that the form describes, without its empty fields; the server validates it. Throws
 * ControlProblem for invalid JSON.
 */
export function ruleFrom(form: FormData, fault: Schemas['Fault']): Schemas['NewFaultRule'] {
  const text = (name: string): string => formText(form, name);
  const given = fault.parameters.flatMap(({ name, takes }) =>
    member(name, text(`with.${name}`), takes === 'number'),
  );
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

function member(
  name: string,
  text: string,
  isNumber: boolean,
): readonly (readonly [string, string | number])[] {
  if (text === '') return [];
  return [[name, isNumber ? Number(text) : text]];
}

function parametersIn(text: string): unknown {
  try {
    const parameters: unknown = JSON.parse(text);
    return parameters;
  } catch {
    const violations = [
      { pointer: '/match/parameters', message: 'is not valid JSON; strings need double quotes.' },
    ];
    throw new ControlProblem({
      status: 0,
      title: 'Invalid JSON',
      detail: 'The parameters are not valid JSON.',
      violations,
    });
  }
}

/** Returns the rule without the fields that the server adds. */
export function asAsked(rule: Schemas['FaultRule']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(rule).filter(([name]) => !['scenario', 'matched', 'fired'].includes(name)),
  );
}
