import { SandboxError } from '../../base/errors.ts';
import { connectSandbox } from '../../control/connect.ts';
import { createSandbox, type NewSandbox } from '../../control/create-sandbox.ts';
import { inNextTurn, pauseFor } from '../../sandbox/clock.ts';
import { startServer, type Channels, type Settings } from '../../server/server.ts';
import type { Stage } from '../../upstream/replay/replay.ts';

/** A stage, and how to end it. */
export interface OpenStage {
  readonly stage: Stage;
  readonly close: () => Promise<void>;
}

/** The recorded sandbox. */
export interface Wanted {
  /** Its id; null if the recording is of another service. */
  readonly id: string | null;
  /** When it began, in milliseconds since 1970. */
  readonly began: number;
  /** The school for calls that name none; null for the first one. */
  readonly school: string | null;
}

/** Starts a server in this process, with a sandbox that has the recorded id and time. */
export async function ownStage(settings: Settings, channels: Channels, wanted: Wanted): Promise<OpenStage> {
  const running = await startServer({ ...settings, port: 0, controlPort: 'off' }, channels);
  const { sandboxes, url } = running;
  const { id, began, school } = wanted;
  sandboxes.default.clock.freeze(began);
  sandboxes.default.reset();
  const clock = { mode: 'frozen', now: new Date(began).toISOString() } as const;
  const sandbox =
    id === null || id === sandboxes.default.id
      ? sandboxes.default
      : await createSandbox(running, { id, clock }, 'names-and-files');
  const slugs = sandbox.schools(100).map(({ slug }) => slug);
  const stage: Stage = {
    baseUrl: url,
    sandboxId: sandbox.id,
    school: chosenSchool(school, slugs),
    labels: (slug) => sandbox.school(slug)?.keyLabels ?? [],
    setClock: (moment) => sandbox.clock.step(() => sandbox.clock.freeze(moment)),
    arrival: async (isOver) => {
      while (!isOver() && sandbox.requestsInFlight === 0)
        await new Promise<void>((done) => void inNextTurn(done));
    },
  };
  return { stage, close: () => running.stop() };
}

/** The time for a call to arrive at another server. */
const arrivalMs = 250;

/** Creates a sandbox on a running server. It is deleted at the end. */
export async function remoteStage(
  { url, token }: { readonly url: string; readonly token: string | undefined },
  request: NewSandbox,
  { began, school }: Wanted,
): Promise<OpenStage> {
  const server = await connectSandbox({ url, ...(token === undefined ? {} : { token }) });
  const clock = { mode: 'frozen', now: new Date(began).toISOString() } as const;
  const sandbox = await server.createSandbox({ ...request, clock });
  const { schools } = await sandbox.describe();
  const slugs = schools.map(({ slug }) => slug);
  const stage: Stage = {
    baseUrl: sandbox.baseUrl,
    sandboxId: sandbox.id,
    school: chosenSchool(school, slugs),
    labels: () => [],
    setClock: (moment) => sandbox.clock.set({ mode: 'frozen', now: new Date(moment).toISOString() }),
    arrival: () => pauseFor(arrivalMs),
  };
  return {
    stage,
    close: async () => {
      await sandbox.remove();
      await server.close();
    },
  };
}

function chosenSchool(wanted: string | null, slugs: readonly string[]): string {
  const [first] = slugs;
  if (first === undefined) throw new SandboxError('The seed has no school.');
  if (wanted === null || slugs.includes(wanted)) return wanted ?? first;
  throw new SandboxError(
    `The seed has no school ${JSON.stringify(wanted)}. Its schools: ${slugs.slice(0, 10).join(', ')}.`,
  );
}
