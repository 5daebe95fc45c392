import { afterAll, expect } from 'vitest';
import { assumptions, type AssumptionName } from '../../src/assumptions.ts';
import { RateUse, unlistedIn } from '../../src/commands/matrix/unlisted.ts';
import { createSandbox } from '../../src/control/create-sandbox.ts';
import type { NewSandbox, SandboxHandle } from '../../src/index.ts';
import { toEntry, type JournalEntry, type StoredEntry } from '../../src/sandbox/journal-entry.ts';
import { startServer, type Running } from '../../src/server/server.ts';
import { supertest } from '../support/supertest.ts';

/** Repeats the calls of tests with the defaults. */
export interface Repeater {
  /**
   * Expects that the calls of a sandbox have the same responses with the default of an assumption, up to one that may
   * depend on it.
   */
  expectSameUntilListed(name: AssumptionName, sandbox: SandboxHandle, request: NewSandbox): Promise<void>;
}

/** Starts a server for the tests of a file on first use. */
export function repeater(): Repeater {
  const stored: StoredEntry[] = [];
  let server: Promise<Running> | null = null;
  afterAll(async () => (await server)?.stop());
  const started = (): Promise<Running> =>
    (server ??= startServer(
      { port: 0 },
      { out: () => {}, err: () => {}, owner: 'a test', observe: (entry) => stored.push(entry) },
    ));
  return {
    expectSameUntilListed: async (name, handle, request) => {
      const running = await started();
      const chosen = { ...request.assumptions, [name]: assumptions[name].default };
      const settings = { ...request, id: handle.id, assumptions: chosen };
      const sandbox = await createSandbox(running, settings, 'names-and-files');
      const rateUse = new RateUse(running.sandboxes);
      for (const entry of await handle.journal.list()) {
        // The journal does not have the keys of other calls.
        if (entry.school === null || entry.outcome === 'unmatched') continue;
        // Nor does it have all of a large body.
        if (entry.cut.request > 0) return;
        sandbox.clock.freeze(Date.parse(entry.at));
        await repeated(running.url, entry, handle.apiKey(entry.school));
        const last = stored.at(-1);
        if (last === undefined) throw new Error('No call arrived.');
        if ([...last.assumed, ...unlistedIn(last), ...rateUse.add(last)].includes(name)) return;
        expect(shownOf(toEntry(last))).toEqual(shownOf(entry));
      }
    },
  };
}

async function repeated(url: string, entry: JournalEntry, key: string): Promise<void> {
  const sent = supertest(url).post(entry.url).set('SERVICE-API-KEY', key);
  for (const [name, value] of Object.entries(entry.requestHeaders))
    if (!own.has(name.toLowerCase())) void sent.set(name, value);
  await sent.send(entry.request);
}

/** The headers of a request that belong to its connection, or have its key. */
const own: ReadonlySet<string> = new Set(['service-api-key', 'content-length', 'connection']);

function shownOf({ status, response, responseHeaders }: JournalEntry): object {
  const headers = Object.entries(responseHeaders).filter(([name]) => !name.startsWith('sandbox-'));
  return { status, response, headers: Object.fromEntries(headers) };
}
