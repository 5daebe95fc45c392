import { fetchOver } from '../../http/connection/fetch-over.ts';
import { wallClock } from '../../sandbox/clock.ts';
import type { Sandbox, School } from '../../sandbox/sandbox.ts';
import { anyLabel } from '../../sandbox/known-callers.ts';
import { keyOf } from '../../sandbox/keys.ts';
import { startServer, type Running } from '../../server/server.ts';
import { EarlierCalls } from '../../upstream/calibrate/earlier-calls.ts';
import { Pace } from '../../upstream/calibrate/pace.ts';
import type { Time } from '../../upstream/calibrate/time.ts';
import { connect, keysIn, maskOf, type Keys } from '../../upstream/calibrate/upstream.ts';
import { compare } from '../../upstream/compare/compare.ts';
import { Twin } from '../../upstream/compare/twin.ts';
import { withoutKeyParts } from '../../upstream/difference-report/mask.ts';
import type { Invocation } from '../command.ts';
import { WrongNameError } from '../error-text.ts';
import { readConnection } from '../connection-flags.ts';
import { tellDifferences } from '../difference-flags.ts';
import { pause } from '../pause.ts';
import { withApiKey } from '../service-flags.ts';
import { noticeWait } from '../wait-notice.ts';
import { readCompareWishes } from './wishes.ts';

/** Compares a service with a sandbox that this command starts. Resolves with the exit code. */
export async function runCompare(called: Invocation): Promise<number> {
  const invocation = withApiKey(called);
  const { environment, terminals, err } = invocation;
  const wishes = await readCompareWishes(invocation);
  const { upstream, keys: service, pauseSeconds } = wishes;
  const base = new URL(upstream);
  const fetched = fetchOver(base, readConnection(invocation, base), environment);
  const running = await startServer(
    { ...wishes.settings, port: 0, controlPort: 'off' },
    { out: err, err, owner: 'lp-sandbox compare' },
  );
  try {
    const { twin, keys } = twinOf(running, wishes.school, service);
    const connected = connect(upstream, service, fetched);
    const time = stoppableTime(invocation);
    const before = (name: string): void => {
      time.heed();
      if (terminals.err) err(`\r\u001B[K${name}`);
    };
    const report = await compare(
      { ...wishes, keys: { service, sandbox: keys } },
      {
        upstream: connected,
        pace: new Pace(connected, time, pauseSeconds, maskOf(service), {
          earlierCalls: new EarlierCalls(twin.options, wallClock),
        }),
        twin,
        time,
        hosts: [base.host, 'sandbox'],
        before,
      },
    );
    if (terminals.err) err('\r\u001B[K');
    const mask = maskOf(service);
    const masked = { ...invocation, err: (text: string) => err(mask(text)) };
    const names = twin.sandbox.schools().flatMap(({ slug, name }) => [slug, name]);
    return tellDifferences(withoutKeyParts(report, keysIn(service), names), wishes.report, masked);
  } finally {
    await running.stop();
  }
}

/** Returns the sandbox of the server, called as one of its schools. Throws SandboxError for an unknown one. */
function twinOf(
  { url, sandboxes, checkSource }: Running,
  slug: string | null,
  service: Keys,
): { twin: Twin; keys: Keys } {
  const { default: sandbox } = sandboxes;
  const school = slug === null ? sandbox.schools(1)[0] : sandbox.school(slug);
  if (school === undefined) {
    const known = sandbox.schools(10).map((one) => one.slug);
    throw new WrongNameError(
      slug === null
        ? 'The seed has no school.'
        : `The seed has no school ${JSON.stringify(slug)}. Its schools: ${known.join(', ')}.`,
      known,
    );
  }
  const keys = twinKeys(sandbox, school, service);
  return { twin: new Twin({ sandbox, school, checkSource, upstream: connect(url, keys) }), keys };
}

/** Returns the keys of the sandbox for those of the service, as far as its seed has them. */
function twinKeys(sandbox: Sandbox, school: School, { second, other }: Keys): Keys {
  const own = keyOf(sandbox.id, school.slug);
  const { keyLabels = [anyLabel] } = school;
  const label = keyLabels.includes(anyLabel) ? 'second' : keyLabels[0];
  const another = sandbox.schools().find(({ slug }) => slug !== school.slug);
  return {
    own,
    second: second === null || label === undefined ? null : `${own}_${label}`,
    other: other === null || another === undefined ? null : keyOf(sandbox.id, another.slug),
  };
}

/** The passing of time. It rejects when the user stops the command. */
function stoppableTime(invocation: Invocation): Time & { readonly heed: () => void } {
  let isStopped = false;
  const asked = invocation.stopped.then(() => void (isStopped = true));
  const heed = (): void => {
    if (isStopped) throw new Error('Stopped before all calls were sent; no report was written.');
  };
  const wait = async (seconds: number, why?: string): Promise<void> => {
    heed();
    noticeWait(seconds, why, invocation);
    await pause(seconds, asked);
    heed();
  };
  return { now: wallClock, wait, heed };
}
