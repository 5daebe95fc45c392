import { documentText } from '../contract/document.ts';
import { seedNames } from '../store/seed-source.ts';
import { changeAssumptions, chooseProfile, listAssumptions } from './assumptions.ts';
import { listChanges, listCollections } from './changes.ts';
import { readClock, setClock } from './clock.ts';
import { createSandbox, withOtherNames, type NewSandbox } from './create-sandbox.ts';
import { describeSandbox } from './describe-sandbox.ts';
import { summaryOf } from '../sandbox/summary.ts';
import { describeAccess, issueToken } from './tokens.ts';
import {
  addRule,
  changeRule,
  getRule,
  listRules,
  playScenario,
  removeRule,
  restoreRules,
  stopScenario,
} from './faults.ts';
import { listDeviations } from './deviations.ts';
import { fitting } from './fitting.ts';
import { readState } from './import-state.ts';
import { exportHar, getExchange, pageOf, restoreJournal, scopesIn, startScope } from './journal.ts';
import { readLimits, setLimits } from './limits.ts';
import { listFaults } from './list-faults.ts';
import {
  about,
  given,
  journalStream,
  param,
  plain,
  sandboxPath,
  text,
  working,
  workingAlone,
  type ControlRoute,
} from './route.ts';
import { readQuotas, setQuotas } from './quotas.ts';
import { checkConditions } from './record-conditions.ts';
import { readRevision } from './revision.ts';
import { reportOf, reportOfAll, reportRoutes } from './reports.ts';
import { listSandboxes } from './list-sandboxes.ts';
import { listRecords } from './list-records.ts';
import { listScenarios } from './scenarios.ts';
import { getSnapshot, restoreSnapshot, listSnapshots, removeSnapshot, saveSnapshot } from './snapshots.ts';
import { exportState, getRecord, patchRecord, putRecord, removeRecord } from './state.ts';
import { checkNumber, verifyJournal } from './verify-journal.ts';
import { alone, inSlices } from './work.ts';
import { readVideoFolder } from './video-folders.ts';

/** All routes of the control plane. */
export const controlRoutes: readonly ControlRoute[] = [
  plain('operator', 'GET', '/control/sandboxes', listSandboxes),
  {
    ...plain('operator', 'POST', '/control/sandboxes', async (request) => {
      const { parts, body, baseUrl, pathPolicy, isGone } = request;
      // The names in it are checked one by one.
      const wanted = fitting('NewSandbox', body ?? {}, parts.sandboxes.caps, withOtherNames) as NewSandbox;
      const sandbox = await createSandbox(parts, wanted, pathPolicy, isGone);
      const described = await inSlices(request, describeSandbox(summaryOf(sandbox), baseUrl, 'whole'));
      const token = parts.tokens?.current(sandbox) ?? null;
      // Code goes on using it.
      if (pathPolicy === 'names-only') await parts.sandboxes.leaveToFirst(sandbox);
      return token === null ? described : { ...described, token };
    }),
    body: 'NewSandbox',
    status: 201,
  },
  working('GET', '', (sandbox, { baseUrl }) => describeSandbox(summaryOf(sandbox), baseUrl, 'shortened')),
  {
    ...about('DELETE', '', (sandbox, { parts: { sandboxes } }) =>
      sandbox === sandboxes.default ? sandbox.reset() : sandboxes.remove(sandbox),
    ),
    ifNotLoaded: ({ parts, params }) => parts.sandboxes.discard(param(params, 'sandboxId')),
  },
  plain('any token', 'GET', '/control/seeds', () => ({ seeds: seedNames().map((name) => ({ name })) })),
  about('POST', '/reset', (sandbox) => sandbox.reset()),
  plain('any token', 'GET', '/control/access', describeAccess),
  { ...about('POST', '/token', issueToken), status: 201 },

  workingAlone('GET', '/state', exportState),
  // The document is checked record by record, because it may have very many.
  {
    ...about('PUT', '/state', async (sandbox, request) => {
      const state = await inSlices(request, readState(sandbox, request.body));
      try {
        await alone(request, sandbox, sandbox.restart(state));
      } catch (error) {
        state.discard();
        throw error;
      }
    }),
    body: 'StateDocument',
  },
  workingAlone('GET', '/state/{collection}', (sandbox, { params, query }) =>
    listRecords(sandbox, param(params, 'collection'), query),
  ),
  {
    ...about('GET', '/state/{collection}/{recordId}', (sandbox, { params }) =>
      getRecord(sandbox, param(params, 'collection'), param(params, 'recordId')),
    ),
    isRecord: true,
  },
  {
    ...given('PUT', '/state/{collection}/{recordId}', 'Record', (sandbox, body, request) => {
      checkConditions(sandbox, request);
      const { params } = request;
      return putRecord(sandbox, param(params, 'collection'), param(params, 'recordId'), body);
    }),
    isRecord: true,
  },
  {
    ...given('PATCH', '/state/{collection}/{recordId}', 'RecordPatch', (sandbox, body, request) => {
      checkConditions(sandbox, request);
      const { params } = request;
      return patchRecord(sandbox, param(params, 'collection'), param(params, 'recordId'), body);
    }),
    isRecord: true,
  },
  workingAlone('DELETE', '/state/{collection}/{recordId}', (sandbox, request) => {
    checkConditions(sandbox, request);
    const { params } = request;
    return removeRecord(sandbox, param(params, 'collection'), param(params, 'recordId'));
  }),

  workingAlone('GET', '/collections', listCollections),
  workingAlone('GET', '/changes', (sandbox, { query }) => listChanges(sandbox, query)),
  workingAlone('GET', '/video-folders', (sandbox, { query }) => readVideoFolder(sandbox, query)),

  about('GET', '/deviations', listDeviations),

  about('GET', '/revision', readRevision),

  about('GET', '/snapshots', listSnapshots),
  about('GET', '/snapshots/{name}', (sandbox, { params }) => getSnapshot(sandbox, param(params, 'name'))),
  workingAlone('PUT', '/snapshots/{name}', (sandbox, { params }) =>
    saveSnapshot(sandbox, param(params, 'name')),
  ),
  workingAlone('POST', '/snapshots/{name}/restore', (sandbox, { params }) =>
    restoreSnapshot(sandbox, param(params, 'name')),
  ),
  about('DELETE', '/snapshots/{name}', (sandbox, { params }) =>
    removeSnapshot(sandbox, param(params, 'name')),
  ),

  about('GET', '/assumptions', listAssumptions),
  given('PATCH', '/assumptions', 'ChosenOptions', async (sandbox, body, request) => {
    await changeAssumptions(sandbox, request, body);
    return listAssumptions(sandbox);
  }),
  given('PUT', '/profile', 'ChosenProfile', async (sandbox, { profile }, request) => {
    await chooseProfile(sandbox, request, profile);
    return listAssumptions(sandbox);
  }),

  about('GET', '/faults', listRules),
  // The rule is checked as a whole, so that all errors are reported together.
  {
    ...about('POST', '/faults', (sandbox, { body }) => addRule(sandbox, body)),
    body: 'NewFaultRule',
    status: 201,
  },
  about('DELETE', '/faults', ({ faults }) => faults.clear()),
  given('POST', '/faults/restore', 'RestoredRules', (sandbox, body) => {
    restoreRules(sandbox, body);
    return listRules(sandbox);
  }),
  about('GET', '/faults/{ruleId}', (sandbox, { params }) => getRule(sandbox, param(params, 'ruleId'))),
  given('PATCH', '/faults/{ruleId}', 'FaultRulePatch', (sandbox, body, { params }) =>
    changeRule(sandbox, param(params, 'ruleId'), body),
  ),
  about('DELETE', '/faults/{ruleId}', (sandbox, { params }) => removeRule(sandbox, param(params, 'ruleId'))),
  plain('any token', 'GET', '/control/faults', listFaults),
  plain('any token', 'GET', '/control/scenarios', listScenarios),
  given('PUT', '/scenario', 'ChosenScenario', async (sandbox, body, { pathPolicy }) => {
    await playScenario(sandbox, body, pathPolicy);
    return listRules(sandbox);
  }),
  about('DELETE', '/scenario', stopScenario),

  about('GET', '/clock', ({ clock }) => readClock(clock)),
  given('PUT', '/clock', 'ClockSetting', async ({ clock }, body) => {
    await clock.step(() => setClock(clock, body));
    return readClock(clock);
  }),
  given('POST', '/clock/advance', 'ClockStep', async ({ clock }, { seconds }) => {
    await clock.step(() => clock.advance(seconds));
    return readClock(clock);
  }),
  about('GET', '/quotas', readQuotas),
  {
    ...given('PUT', '/quotas', 'QuotaSetting', (sandbox, body) => {
      setQuotas(sandbox, body);
      return readQuotas(sandbox);
    }),
    access: 'operator',
  },
  about('GET', '/limits', readLimits),
  given('PUT', '/limits', 'LimitSetting', (sandbox, body) => {
    setLimits(sandbox, body);
    return readLimits(sandbox);
  }),
  about('DELETE', '/limits/counters', ({ limits }) => limits.counters.clear()),

  working('GET', '/journal', (sandbox, { query, lists }) => pageOf(sandbox, query, lists)),
  about('DELETE', '/journal', ({ journal }) => journal.clear()),
  about('POST', '/journal/restore', ({ journal }) => restoreJournal(journal)),
  about('GET', '/journal/scopes', ({ journal }) => scopesIn(journal)),
  given('POST', '/journal/scopes', 'StartedScope', (sandbox, { name }) => startScope(sandbox, name)),
  journalStream(),
  about('GET', '/journal/{requestId}', (sandbox, { params, baseUrl }) =>
    getExchange(sandbox, param(params, 'requestId'), baseUrl),
  ),
  working('GET', '/journal.har', (sandbox, { baseUrl, lists }) => exportHar(sandbox, baseUrl, lists)),
  // The number of expectations is checked before their content.
  {
    ...about('POST', '/journal/verify', (sandbox, request) => {
      checkNumber(request.body, sandbox);
      return verifyJournal(sandbox, fitting('Expectations', request.body, sandbox.caps), request);
    }),
    body: 'Expectations',
  },
  ...reportRoutes('sandbox', `${sandboxPath}/report`, reportOf),
  ...reportRoutes('operator', '/control/report', reportOfAll),
  text('any token', '/control/openapi.yaml', () => ({
    type: 'application/yaml; charset=utf-8',
    text: documentText('control'),
  })),
];
