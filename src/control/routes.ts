import type { components } from '../contract/generated/control.ts';
import { checkControl, type ControlSchema } from '../contract/control-check.ts';
import { Unfit } from '../sandbox/misuse.ts';
import { makeReport } from '../report/report.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { seedNames, type Reach } from '../store/read-seed.ts';
import { changeAssumptions, chooseProfile, listAssumptions } from './assumptions.ts';
import { readClock, setClock } from './clock.ts';
import { createSandbox, type Makings, type NewSandbox } from './create-sandbox.ts';
import { describeSandbox } from './describe-sandbox.ts';
import { addRule, changeRule, getRule, listRules, playScenario, removeRule, stopScenario } from './faults.ts';
import { findSandbox } from './find-sandbox.ts';
import { exportHar, getExchange, pageOfJournal, verifyJournal } from './journal.ts';
import { readLimits, setLimits } from './limits.ts';
import { listFaults } from './list-faults.ts';
import { listScenarios } from './scenarios.ts';
import { getSnapshot, goBackTo, listSnapshots, removeSnapshot, saveSnapshot } from './snapshots.ts';
import { exportState, getRecord, importState, listRecords, patchRecord, putRecord, removeRecord } from './state.ts';

type Schemas = components['schemas'];

/** One request to the control plane, whichever way it came. */
export interface ControlRequest {
  readonly makings: Makings;
  /** Where clients reach this server, without a slash at the end. */
  readonly baseUrl: string;
  readonly reach: Reach;
  /** What stands in the braces of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** One thing that can be done: the path as `openapi/control.yaml` has it, and the function that does it. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The schema of the body; null where there is none. */
  readonly body: ControlSchema | null;
  /** Of an answer with content; without any it is 204. */
  readonly status: number;
  readonly run: (request: ControlRequest) => unknown;
}

type Method = ControlRoute['method'];

/** A route that takes no body. */
function plain(method: Method, path: string, run: (request: ControlRequest) => unknown): ControlRoute {
  return { method, path, body: null, status: 200, run };
}

/** A route about one sandbox that takes no body. */
function about(method: Method, path: string, run: (sandbox: Sandbox, request: ControlRequest) => unknown): ControlRoute {
  return plain(method, `/control/sandboxes/{id}${path}`, (request) => run(sandboxOf(request), request));
}

/** A route about one sandbox whose body fits a schema. */
function given<N extends ControlSchema>(
  method: Method,
  path: string,
  body: N,
  run: (sandbox: Sandbox, body: Schemas[N], request: ControlRequest) => unknown,
  status = 200,
): ControlRoute {
  const checked = (request: ControlRequest): unknown => run(sandboxOf(request), fitting(body, request.body), request);
  return { method, path: `/control/sandboxes/{id}${path}`, body, status, run: checked };
}

function sandboxOf({ makings, params }: ControlRequest): Sandbox {
  return findSandbox(makings.sandboxes, param(params, 'id'));
}

function param(params: ControlRequest['params'], name: string): string {
  return params[name] ?? '';
}

function fitting<N extends ControlSchema>(schema: N, body: unknown): Schemas[N] {
  const violations = checkControl(schema, body);
  if (violations.length > 0) throw new Unfit('The body does not fit.', violations);
  // It fits the schema that the type was made from.
  return body as Schemas[N];
}

/** Everything that the control plane does, but for what is no JSON. */
export const controlRoutes: readonly ControlRoute[] = [
  plain('GET', '/control/sandboxes', ({ makings: { sandboxes }, baseUrl }) => ({
    sandboxes: [...sandboxes.all].map((sandbox) => describeSandbox(sandbox, baseUrl, 'shortened keys')),
  })),
  {
    method: 'POST',
    path: '/control/sandboxes',
    body: 'NewSandbox',
    status: 201,
    run: async ({ makings, body, baseUrl, reach }) => {
      // The names in it are checked one by one.
      const request = fitting('NewSandbox', body ?? {}) as NewSandbox;
      return describeSandbox(await createSandbox(makings, request, reach), baseUrl, 'whole keys');
    },
  },
  about('GET', '', (sandbox, { baseUrl }) => describeSandbox(sandbox, baseUrl, 'shortened keys')),
  about('DELETE', '', (sandbox, { makings: { sandboxes } }) =>
    sandbox === sandboxes.default ? sandbox.reset() : sandboxes.remove(sandbox),
  ),
  plain('GET', '/control/seeds', () => ({ seeds: seedNames().map((name) => ({ name })) })),
  about('POST', '/reset', (sandbox) => sandbox.reset()),

  about('GET', '/state', exportState),
  given('PUT', '/state', 'StateDocument', importState),
  about('GET', '/state/{collection}', (sandbox, { params }) => listRecords(sandbox, param(params, 'collection'))),
  about('GET', '/state/{collection}/{recordId}', (sandbox, { params }) =>
    getRecord(sandbox, param(params, 'collection'), param(params, 'recordId')),
  ),
  given('PUT', '/state/{collection}/{recordId}', 'Record', (sandbox, body, { params }) =>
    putRecord(sandbox, param(params, 'collection'), param(params, 'recordId'), body),
  ),
  given('PATCH', '/state/{collection}/{recordId}', 'RecordPatch', (sandbox, body, { params }) =>
    patchRecord(sandbox, param(params, 'collection'), param(params, 'recordId'), body),
  ),
  about('DELETE', '/state/{collection}/{recordId}', (sandbox, { params }) =>
    removeRecord(sandbox, param(params, 'collection'), param(params, 'recordId')),
  ),

  about('GET', '/snapshots', listSnapshots),
  about('GET', '/snapshots/{name}', (sandbox, { params }) => getSnapshot(sandbox, param(params, 'name'))),
  about('PUT', '/snapshots/{name}', (sandbox, { params }) => saveSnapshot(sandbox, param(params, 'name'))),
  about('POST', '/snapshots/{name}/restore', (sandbox, { params }) => goBackTo(sandbox, param(params, 'name'))),
  about('DELETE', '/snapshots/{name}', (sandbox, { params }) => removeSnapshot(sandbox, param(params, 'name'))),

  about('GET', '/assumptions', listAssumptions),
  given('PATCH', '/assumptions', 'ChosenOptions', async (sandbox, body, { makings }) => {
    await changeAssumptions(sandbox, makings.checkSource, body);
    return listAssumptions(sandbox);
  }),
  given('PUT', '/profile', 'ChosenProfile', async (sandbox, { profile }, { makings }) => {
    await chooseProfile(sandbox, makings.checkSource, profile);
    return listAssumptions(sandbox);
  }),

  about('GET', '/faults', listRules),
  // The rule is checked as a whole, so that all that is wrong with it is told at once.
  { ...about('POST', '/faults', (sandbox, { body }) => addRule(sandbox, body)), body: 'NewFaultRule', status: 201 },
  about('DELETE', '/faults', ({ faults }) => faults.clear()),
  about('GET', '/faults/{ruleId}', (sandbox, { params }) => getRule(sandbox, param(params, 'ruleId'))),
  given('PATCH', '/faults/{ruleId}', 'FaultRulePatch', (sandbox, body, { params }) => changeRule(sandbox, param(params, 'ruleId'), body)),
  about('DELETE', '/faults/{ruleId}', (sandbox, { params }) => removeRule(sandbox, param(params, 'ruleId'))),
  plain('GET', '/control/faults', listFaults),
  plain('GET', '/control/scenarios', listScenarios),
  given('PUT', '/scenario', 'ChosenScenario', async (sandbox, body, { reach }) => {
    await playScenario(sandbox, body, reach);
    return listRules(sandbox);
  }),
  about('DELETE', '/scenario', stopScenario),

  about('GET', '/clock', ({ clock }) => readClock(clock)),
  given('PUT', '/clock', 'ClockSetting', ({ clock }, body) => {
    setClock(clock, body);
    return readClock(clock);
  }),
  given('POST', '/clock/advance', 'ClockStep', ({ clock }, { seconds }) => {
    clock.advance(seconds);
    return readClock(clock);
  }),
  about('GET', '/limits', readLimits),
  given('PUT', '/limits', 'LimitSetting', (sandbox, body) => {
    setLimits(sandbox, body);
    return readLimits(sandbox);
  }),
  about('DELETE', '/limits/counters', ({ limits }) => limits.windows.clear()),

  about('GET', '/journal', (sandbox, { query }) => pageOfJournal(sandbox, query)),
  about('DELETE', '/journal', ({ journal }) => journal.clear()),
  about('GET', '/journal/{requestId}', (sandbox, { params, baseUrl }) => getExchange(sandbox, param(params, 'requestId'), baseUrl)),
  about('GET', '/journal.har', (sandbox, { baseUrl }) => exportHar(sandbox, baseUrl)),
  given('POST', '/journal/verify', 'Expectations', verifyJournal),
  about('GET', '/report', ({ id, journal }) => makeReport(id, journal.page())),
];
