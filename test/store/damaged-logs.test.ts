import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox, type SandboxServer } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { coupon } from '../support/demo.ts';

async function serve(data: string, warnings: string[] = []): Promise<SandboxServer> {
  const server = await startSandbox({ port: 0, data, warn: (message) => warnings.push(message) });
  onTestFinished(() => server.close().catch(() => {}));
  return server;
}

async function describeCoupon({ url }: SandboxServer, description: string): Promise<string> {
  const reply = await supertest(url)
    .post('/public/update-digital-product-coupon')
    .set('SERVICE-API-KEY', 'sbx_default_riverside')
    .send({
      data: [
        {
          data: {
            serviceCouponCodeId: coupon.id,
            serviceDigitalProductId: coupon.productId,
            description,
          },
        },
      ],
    });
  expect(reply.body).toMatchObject([{ output: { status: 'ok' } }]);
  return String(reply.headers['sandbox-request-id']);
}

const descriptionIn = async (server: SandboxServer): Promise<string | undefined> =>
  (await server.default.state.get('coupons', coupon.id))?.description;

/** Leaves the files of a crash: a state file with "stored", and lines with "one", "two" and "three" after it. */
async function crashed() {
  const data = temporaryFolder();
  const first = await serve(data);
  await describeCoupon(first, 'stored');
  await first.close();
  const second = await serve(data);
  const ids: string[] = [];
  for (const text of ['one', 'two', 'three']) ids.push(await describeCoupon(second, text));
  const copy = crashCopy(data);
  const name = readdirSync(copy).find((file) => file.endsWith('.log')) ?? '';
  const lines = readFileSync(join(copy, name), 'utf8').split('\n').slice(0, -1);
  return { copy, name, lines, ids, firstLine: Number(name.split('.')[1]) };
}

const isSetAside = (name: string): boolean => name.includes('.unusable-');

describe('a damaged line of a log has no effect, and the lines before it have all of theirs', () => {
  it.each([
    ['is no JSON', '"changes":', '"changes"', 'JSON'],
    [
      'has counts with an unknown member',
      '"counted":',
      '"coqnted":',
      '/counts/window/coqnted is not a known',
    ],
    ['has an unknown member', '"changes":', '"chanfes":', '/chanfes is not a known field'],
    ['has an unknown collection', '"coupons":', '"cuopons":', '/changes/cuopons is not a collection'],
    ['has a record that does not fit', '"three"', '3', `/changes/coupons/${coupon.id}/description must be`],
    ['has no number', '{"line":', '{"lime":', '/lime is not a known field'],
    ['has no changes', /"changes":\{.*\}\]\}/, '"changes":[]', '/changes must be an object, but is an empty'],
  ])('if it %s', async (_, part, damage, reason) => {
    const { copy, name, lines, firstLine } = await crashed();
    const damaged = lines.with(2, (lines[2] ?? '').replace(part, damage));
    expect(damaged).not.toEqual(lines);
    writeFileSync(join(copy, name), `${damaged.join('\n')}\n`);
    const warnings: string[] = [];
    const server = await serve(copy, warnings);
    expect(warnings).toEqual([
      expect.stringContaining(`${join(copy, name)} is damaged: the part before byte `),
    ]);
    expect(warnings[0]).toContain(reason);
    expect(await descriptionIn(server)).toBe('two');
    // The next line has the number of the damaged one, so that none is missing.
    const stored: unknown = JSON.parse(readFileSync(join(copy, 'default.json'), 'utf8'));
    expect(stored).toMatchObject({ upTo: firstLine + 1 });
    await describeCoupon(server, 'next');
    expect(await descriptionIn(await serve(crashCopy(copy), warnings))).toBe('next');
    expect(warnings).toHaveLength(1);
  });

  it('even if a newer version could have written it in another form: then the files are not touched', async () => {
    const { copy, name, lines } = await crashed();
    const newer = `${lines.join('\n')}\n{"line":9,"version":3,"changes":[{"op":"x"}],"new":{}}\n`;
    writeFileSync(join(copy, name), newer);
    await expect(serve(copy)).rejects.toThrow('its version is the number 3, but this program reads 2 and 1.');
    expect(readFileSync(join(copy, name), 'utf8')).toBe(newer);
    expect(readdirSync(copy).filter(isSetAside)).toEqual([]);
  });
});
