import { ControlProblem, type Schemas } from '../../control-problem.ts';
import { formText } from '../../parts/form-text.ts';
import { withTime } from '../../parts/moment.ts';

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

/** Which calls a rule affects, as the form asks for it. */
export const scopes = [
  ['next', 'the next call'],
  ['every', 'every call'],
  ['some', 'some calls …'],
] as const;

export type Scope = (typeof scopes)[number][0];

/** Returns the scope of a rule's conditions. */
export function scopeOf(when: Schemas['NewFaultRule']['when']): Scope {
  if (when === undefined) return 'every';
  return when.times === 1 && Object.keys(when).length === 1 ? 'next' : 'some';
}

/** The first failure that a client should survive: what the form and the journal offer. */
export const firstFailure = { fault: 'http-error', with: { status: 503, 'retry-after': 2 } } as const;

/** Returns the parameters that a new rule begins with. */
export function parametersFor(fault: string): Pick<Schemas['NewFaultRule'], 'with'> {
  return fault === firstFailure.fault ? { with: firstFailure.with } : {};
}

/** The option of the operation field that means "several". */
export const several = '-';

/** Returns the problem with a reversed interval at the field of its end; the server reports it at both times. */
export function atFields(problem: ControlProblem | null): ControlProblem | null {
  if (problem === null || problem.violations.every(({ pointer }) => pointer !== '/when/between'))
    return problem;
  const { status, title, message: detail } = problem;
  const violations = problem.violations.map(({ pointer, message }) =>
    pointer === '/when/between'
      ? { pointer: `${pointer}/1`, message: 'must be after the start.' }
      : { pointer, message },
  );
  return new ControlProblem({ status, title, detail, violations });
}

/**
 * Returns the rule that the form describes, without its empty fields; the server validates it. Throws
 * ControlProblem for invalid JSON, and for several operations if none is chosen.
 */
export function ruleFrom(form: FormData, fault: Schemas['Fault']): Schemas['NewFaultRule'] {
  const text = (name: string): string => formText(form, name);
  const given = fault.parameters.flatMap(({ name, takes }) =>
    member(name, text(`with.${name}`), takes === 'number'),
  );
  const when = conditionsIn(form);
  const match = [
    ...member('school', text('school'), false),
    ...member('key', text('key'), false),
    ...(text('parameters') === '' ? [] : [['parameters', parametersIn(text('parameters'))] as const]),
  ];
  const phase = text('phase');
  return {
    fault: fault.name,
    operation: text('operation') === several ? severalIn(form) : text('operation'),
    ...(text('id') === '' ? {} : { id: text('id') }),
    ...(match.length === 0 ? {} : { match: Object.fromEntries(match) }),
    ...(given.length === 0 ? {} : { with: Object.fromEntries(given) }),
    ...(phase === 'before' || phase === 'after' ? { phase } : {}),
    ...(when.length === 0 ? {} : { when: Object.fromEntries(when) }),
  };
}

function severalIn(form: FormData): readonly string[] {
  const operations = form.getAll('operations').map(String);
  if (operations.length > 0) return operations;
  const violations = [{ pointer: '/operation', message: 'Choose at least one operation.' }];
  throw new ControlProblem({
    status: 0,
    title: 'No operation',
    detail: 'No operation is chosen.',
    violations,
  });
}

type Members = readonly (readonly [string, unknown])[];

/** Throws ControlProblem for "some calls" without a condition, which would affect every call. */
function conditionsIn(form: FormData): Members {
  const scope = formText(form, 'scope');
  if (scope === 'next') return [['times', 1]];
  if (scope !== 'some') return [];
  const between = ['between.0', 'between.1'].map((name) => withTime(formText(form, name)));
  const when: Members = [
    ...timings.flatMap(([name]) => member(name, formText(form, `when.${name}`), true)),
    ...(between.join('') === '' ? [] : [['between', between] as const]),
  ];
  if (when.length > 0) return when;
  throw new ControlProblem({
    status: 0,
    title: 'No condition',
    detail: 'Fill in at least one condition, or choose “every call”.',
  });
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
export function asAsked(rule: Schemas['FaultRule']): Schemas['NewFaultRule'] {
  const {
    scenario: _scenario,
    matched: _matched,
    fired: _fired,
    canFire: _canFire,
    keySchool: _keySchool,
    ...asked
  } = rule;
  return asked;
}
