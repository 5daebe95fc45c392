import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Response, Test } from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  assumptions,
  type AssumptionName,
  type OptionOf,
  type PartialOptions,
} from '../../src/assumptions.ts';
import type { Records } from '../../src/contract/generated/facts.ts';
import { startSandbox, type NewSandbox } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { expectContractual } from '../support/contract.ts';
import { supertest } from '../support/supertest.ts';
import { world, type World } from '../support/world.ts';
import { repeater } from './same-until-listed.ts';

/** The option under test, and ways to meet it. */
interface Reading {
  /** A sandbox under the option, and whatever else it is asked for. */
  open(more?: NewSandbox): Promise<World>;
  /**
   * A server of its own under the option, for calls that belong to its default sandbox; the function starts a
   * request there.
   */
  serve(): Promise<World['post']>;
  /** The URL of such a server, for requests that are no calls. */
  serveAt(): Promise<string>;
  /** Expects `Sandbox-Assumed` to name the assumption with the option. */
  noted(reply: Response): void;
}

export type OptionTest = (reading: Reading) => Promise<void>;

/** A test for every option of every assumption. */
export type OptionTests = { readonly [N in AssumptionName]: { readonly [O in OptionOf<N>]: OptionTest } };

/** Runs the tests of some assumptions; that of a default runs once more where nobody has chosen anything. */
export function testOptions(tests: Partial<OptionTests>): void {
  const { expectSameUntilListed } = repeater();
  for (const [name, byOption] of Object.entries<Readonly<Record<string, OptionTest>>>(tests)) {
    // The keys of `Partial<OptionTests>` are names of assumptions.
    const assumption = assumptions[name as AssumptionName];
    const texts: Readonly<Record<string, string>> = assumption.options;
    describe(`${name}: ${assumption.question}`, () => {
      for (const [option, test] of Object.entries(byOption)) {
        it(`${option}: ${texts[option]}`, async () => {
          const opened: Opened[] = [];
          await test(readingOf(name, option, { [name]: option }, opened));
          // The key of the assumption, as above.
          for (const { sandbox, request } of opened)
            await expectSameUntilListed(name as AssumptionName, sandbox, request);
        });
        if (option === assumption.default)
          it('is so where nobody chooses', () => test(readingOf(name, option, {})));
      }
    });
  }
}

/** A sandbox of a test, and what it was asked for. */
interface Opened {
  readonly sandbox: World['sandbox'];
  readonly request: NewSandbox;
}

function readingOf(name: string, option: string, chosen: PartialOptions, opened: Opened[] = []): Reading {
  const serveAt = async (): Promise<string> => {
    const { url, close } = await startSandbox({ port: 0, assume: chosen });
    onTestFinished(close);
    return url;
  };
  return {
    open: async ({ assumptions: more, ...rest } = {}) => {
      const request = { ...rest, assumptions: { ...more, ...chosen } };
      const place = await world(request);
      opened.push({ sandbox: place.sandbox, request });
      return place;
    },
    serveAt,
    serve: async () => {
      const url = await serveAt();
      return (operation) =>
        supertest(url)
          .post(`/public/${operation}`)
          .expect((reply) => expectContractual(operation, reply));
    },
    noted: (reply) => expect(assumedBy(reply)).toContain(`${name}=${option}`),
  };
}

/** What `Sandbox-Assumed` lists; nothing where there is no such header. */
export function assumedBy({ headers }: Response): readonly string[] {
  const header: unknown = headers['sandbox-assumed'];
  return typeof header === 'string' ? header.split(', ') : [];
}

/** A body as it is written here, with Riverside's key. */
export function sendText(
  { post, sandbox }: World,
  operation: string,
  body: string,
  type = 'application/json',
): Test {
  return post(operation)
    .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
    .set('Content-Type', type)
    .send(body);
}

/** A folder that a sandbox can start from, with the given records and nothing else. */
export function seedFolder(collections: { readonly [N in keyof Records]?: readonly Records[N][] }): string {
  const folder = temporaryFolder();
  for (const [name, records] of Object.entries(collections))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(records));
  return folder;
}

/** A sandbox whose clock stands still. */
export function frozenAt(now: string): NewSandbox {
  return { clock: { mode: 'frozen', now } };
}
