import { onTestFinished } from 'vitest';
import type { PartialOptions } from '../../src/assumptions.ts';
import { Recording } from '../../src/upstream/seed-recorder/recording.ts';
import { pictureNames } from '../../src/base/package-files.ts';
import { RecordingFolder } from '../../src/store/recording-folder.ts';
import { temporaryFolder } from '../support/command.ts';
import { send } from '../support/send.ts';
import { sharedServer } from '../support/world.ts';
import type { SandboxHandle } from '../../src/index.ts';
import { withoutPause } from '../../src/base/sliced-work.ts';

const pictures = { portraits: pictureNames('instructors'), events: pictureNames('live-events') };

export function recordingWith(secret = 'a secret of the tests'): Recording {
  return new Recording({ secret, pictures });
}

/** An output of a reply, as a test looks at it. */
export type Output =
  { readonly status: 'ok'; readonly data: Record<string, unknown> } | { readonly status: 'error' };

/** Calls an operation of a sandbox with one element. The recording sees the exchange, where one is given. */
export async function callSeen(
  sandbox: SandboxHandle,
  school: string,
  operation: string,
  parameters: unknown,
  recording: Recording | null,
): Promise<Output> {
  const key = sandbox.apiKey(school);
  const body = { data: [{ data: parameters }] };
  const { status, text: responseBody } = await send(
    `${sandbox.baseUrl}/public/${operation}`,
    { 'SERVICE-API-KEY': key },
    body,
  );
  if (recording !== null)
    withoutPause(
      recording.observe({ operation, requestBody: JSON.stringify(body), responseBody, status, key }),
    );
  // The contract's envelope, which other tests hold.
  const [only] = JSON.parse(responseBody) as { output: Output }[];
  return only?.output ?? { status: 'error' };
}

/** A sandbox of the seed that a recording comes to. */
export async function replay(
  recording: Recording,
  now: string,
  assumptions: PartialOptions = {},
): Promise<SandboxHandle> {
  const folder = `${temporaryFolder()}/seed`;
  // As the command does: a sandbox at the same moment has the times of the service.
  const { collections, report } = recording.finish(Date.parse(now));
  await new RecordingFolder(folder).finish({ collections, report });
  return frozenSandbox(now, folder, assumptions);
}

/** A sandbox whose clock stands still, without limits. */
export async function frozenSandbox(
  now: string,
  seed = 'demo',
  assumptions: PartialOptions = {},
): Promise<SandboxHandle> {
  const server = await sharedServer();
  const sandbox = await server.createSandbox({ seed, assumptions, clock: { mode: 'frozen', now } });
  onTestFinished(() => sandbox.remove());
  await sandbox.limits.set({ scale: null });
  return sandbox;
}
