/**
 * What somebody else's project writes. The package's test compiles it as the package is installed, `npm run
 * typecheck` from the sources.
 */
import {
  connectSandbox,
  SandboxError,
  NotFoundError,
  startSandbox,
  type Assumption,
  type ClockSetting,
  type Exchange,
  type Expectations,
  type FaultName,
  type FaultRule,
  type JournalEntry,
  type Limits,
  type NewFaultRule,
  type NewSandbox,
  type OperationName,
  type OptionOf,
  type Records,
  type Report,
  type SandboxDescription,
  type SandboxHandle,
  type SandboxServer,
  type Snapshot,
  type StartOptions,
  type StateDocument,
  type Verdict,
} from 'learning-platform-sandbox';

// Right.
const options: StartOptions = {
  port: 0,
  assume: { unknownId: 'http-404' },
  profile: 'strict',
  log: 'json',
  warn: (message: string) => void message,
};
await using server: SandboxServer = await startSandbox(options);
const elsewhere: SandboxServer = await connectSandbox({ url: server.url });
const clock: ClockSetting = { mode: 'frozen', now: '2026-03-02T08:00:00Z' };
const request: NewSandbox = { randomSeed: 7, clock, scenario: null };
const sandbox: SandboxHandle = await elsewhere.createSandbox(request);
const key: string = sandbox.apiKey('riverside');
const description: SandboxDescription = await sandbox.describe();
const fault: FaultName = 'http-error';
const operation: OperationName = 'list-assignments';
const asked: NewFaultRule = { operation, fault, with: { status: 503 }, when: { first: 2 } };
const rule: FaultRule = await sandbox.faults.add(asked);
const fired: number = rule.fired;
const option: OptionOf<'unknownId'> = 'http-404';
const coupon: Records['coupons'] | null = await sandbox.state.get('coupons', '5bb6bf98e3b6a0f3c19b07c3');
const document: StateDocument = await sandbox.state.export();
const snapshots: readonly Snapshot[] = await sandbox.snapshots.list();
const assumptions: readonly Assumption[] = await sandbox.assumptions.list();
const limits: Limits = await sandbox.limits.read();
const entries: readonly JournalEntry[] = await sandbox.journal.list({ operation, limit: 5 });
const exchange: Exchange | null = await sandbox.journal.get('default-1');
const expectations: Expectations = { counts: [{ operation, atLeast: 1 }] };
const verdict: Verdict = await sandbox.journal.verify(expectations);
const report: Report = await sandbox.report();
const isSandboxError: boolean = new NotFoundError('It is not there.') instanceof SandboxError;
export const all = [
  key,
  description.seed,
  fired,
  option,
  coupon?.id,
  document,
  snapshots,
  assumptions,
  limits,
  entries,
  exchange,
  verdict,
  report,
  isSandboxError,
];

// Handed on without a word: whoever declares it must be able to name every type in it.
export const handedOn = { server, sandbox, ...sandbox.state, ...sandbox.snapshots, ...sandbox.journal };
export const more = { ...server, ...sandbox, ...sandbox.faults, ...sandbox.assumptions, ...sandbox.limits };

// Wrong, each once; nothing of it is ever run.
export async function wrong(): Promise<void> {
  // @ts-expect-error There is no such fault.
  await sandbox.faults.add({ fault: 'http-eror' });
  // @ts-expect-error There is no such operation.
  await sandbox.faults.add({ fault, operation: 'list-assignment' });
  // @ts-expect-error There is no such option of the assumption.
  await startSandbox({ assume: { unknownId: 'http-405' } });
  // @ts-expect-error There is no such profile.
  await startSandbox({ profile: 'lenient' });
  // @ts-expect-error There is no such setting.
  await startSandbox({ prot: 4010 });
  // @ts-expect-error There is no such collection.
  await sandbox.state.list('coupon');
  // @ts-expect-error Seconds are a number.
  await sandbox.clock.advance({ seconds: '60' });
  // @ts-expect-error A handle is read only.
  sandbox.id = 'another';
  // @ts-expect-error A report is known to the last member.
  void report.coverages;
}
