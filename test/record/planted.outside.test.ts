import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isObject } from '../../src/base/is-object.ts';
import { fetchOver } from '../../src/http/connection/fetch-over.ts';
import { plainConnection } from '../../src/http/connection/options.ts';
import { send, upstreamThat } from '../proxy/upstream.ts';
import { temporaryFolder } from '../support/command.ts';
import { services } from '../upstreams/calm.ts';
import * as lockedDown from '../upstreams/locked-down.ts';
import type { Upstream } from '../upstreams/plumbing.ts';
import { recordHere } from './recorder.ts';

/** Six times as many, plus one for each service, are more than 2,000. */
const fewestSecrets = 333;

/** Fields of enums, whose words a recording keeps, listed for review. */
const enumField = /^(type|status|resourceIdType|permissions|courseItemType|action|on)$/;

/** Puts a secret into every text of a service: a word of letters, as a name is, the same for the same text. */
class Planter {
  readonly #secrets = new Map<string, string>();
  readonly #bySide: string;

  constructor(name: string) {
    this.#bySide = name.replaceAll(/[^a-z]/g, '').slice(0, 3);
  }

  get secrets(): readonly string[] {
    return [...this.#secrets.values()];
  }

  planted(value: unknown, field = ''): unknown {
    if (Array.isArray(value)) return value.map((member: unknown) => this.planted(member, field));
    if (isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, member]: [string, unknown]) => [name, this.planted(member, name)]),
      );
    return typeof value === 'string' && value !== '' ? this.#inText(value, field) : value;
  }

  #inText(text: string, field: string): string {
    if (/^(ok|error)$/.test(text) || !Number.isNaN(Date.parse(text)) || /^\d{4}-\d\d/.test(text)) return text;
    if (/^[[{]/.test(text)) {
      try {
        return JSON.stringify(this.planted(JSON.parse(text)));
      } catch {
        // Not a document, but a text.
      }
    }
    const secret = this.#secretFor(`${field} ${text}`);
    if (enumField.test(field)) return secret;
    if (text.includes('@')) return `${secret}.${text}`;
    if (/^(https?:\/)?\//.test(text)) return `${text}/${secret}`;
    // A long text could be replaced at one end only.
    return text.includes(' ')
      ? `${this.#secretFor(`${field} before ${text}`)} ${text} ${secret}`
      : `${text}-${secret}`;
  }

  #secretFor(text: string): string {
    const known = this.#secrets.get(text);
    if (known !== undefined) return known;
    const letters = Array.from(String(this.#secrets.size), (digit) => 'bcdfghjklm'[Number(digit)]).join('a');
    const secret = `Qx${this.#bySide}${letters}vu`;
    this.#secrets.set(text, secret);
    return secret;
  }
}

/** A service in front of another one, which plants secrets in its responses. */
async function inFrontOf({ url, ...upstream }: Upstream, planter: Planter): Promise<string> {
  const ca = 'ca' in upstream ? String(upstream.ca) : null;
  const headers = ca === null ? [] : ['X-Gateway-Key', lockedDown.gatewayKey];
  const fetched = fetchOver(new URL(url), { ...plainConnection, headers, ca }, {});
  const front = await upstreamThat((response, got) => {
    const answer = async (): Promise<void> => {
      const own = {
        'SERVICE-API-KEY': String(got.headers['service-api-key']),
        'Content-Type': 'application/json',
      };
      const reply = await fetched(`${url}${got.url}`, {
        method: 'POST',
        headers: own,
        body: got.body.toString(),
      });
      const text = await reply.text();
      const isJson = /^\s*[[{]/.test(text);
      response.writeHead(reply.status, { 'Content-Type': reply.headers.get('content-type') ?? 'text/plain' });
      response.end(isJson ? JSON.stringify(planter.planted(JSON.parse(text))) : text);
    };
    void answer();
  });
  return front.url;
}

describe.each(Object.entries(services))('lp-sandbox record, with the service %s,', (name, service) => {
  it(`leaves none of more than ${fewestSecrets} planted secrets except words that it lists for review`, async () => {
    const upstream = await service.start();
    onTestFinished(() => upstream.close());
    const planter = new Planter(name);
    const out = join(temporaryFolder(), 'seed');
    const recorder = await recordHere(await inFrontOf(upstream, planter), out);
    const samples: readonly (readonly [string, object])[] = Object.entries(service.samples);
    const pages = [0, 1, 2, 3, 4, 5, 6].map(
      (pageNumber) => ['get-video-library', { filterTerm: '', pageNumber, folderPath: '' }] as const,
    );
    for (const key of service.schools.flatMap(({ apiKeys }) => apiKeys))
      for (const [operation, parameters] of [...samples, ...pages])
        await send(recorder.url, {
          path: `/public/${operation}`,
          headers: { 'SERVICE-API-KEY': key },
          body: JSON.stringify({ data: [{ data: parameters }] }),
        });
    const ended = await recorder.stop();
    expect(ended.code).toBe(0);
    const files = readdirSync(out).map((file) => readFileSync(join(out, file), 'utf8'));
    const text = [...files, ended.out, ended.err].join('\n').toLowerCase();
    const left = planter.secrets.filter((secret) => text.includes(secret.toLowerCase()));
    // Cast: the command wrote it.
    const { keptWords } = JSON.parse(readFileSync(join(out, 'record-report.json'), 'utf8')) as {
      readonly keptWords: readonly { readonly word: string }[];
    };
    // A word may consist of several, as in courses:read.
    const listed = keptWords.map(({ word }) => word).join(' ');
    expect(left.filter((secret) => !listed.includes(secret))).toEqual([]);
    // Otherwise the words of enums would not have been tested.
    expect(left.length).toBeGreaterThan(0);
    expect(planter.secrets.length).toBeGreaterThan(fewestSecrets);
  }, 60_000);
});
