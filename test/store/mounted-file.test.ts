import { copyFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox, type SandboxServer } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { coupon } from '../support/demo.ts';

async function serve(data: string, warnings: string[] = []): Promise<SandboxServer> {
  const server = await startSandbox({ port: 0, data, warn: (message) => warnings.push(message) });
  onTestFinished(() => server.close().catch(() => {}));
  return server;
}

async function descriptionIn(server: SandboxServer, id: string): Promise<string | undefined> {
  return (await (await server.sandbox(id))?.state.get('coupons', coupon.id))?.description;
}

/** Stores "stored" in a folder, and copies a state file as for a mounted one, which cannot be replaced. */
async function stored(id: string) {
  const data = temporaryFolder();
  const first = await serve(data);
  const sandbox = id === 'default' ? first.default : await first.createSandbox({ id });
  await sandbox.state.patch('coupons', coupon.id, { description: 'stored' });
  await first.close();
  const file = join(data, `${id}.json`);
  copyFileSync(file, `${file}.lp-sandbox.copy`);
  return { data, file };
}

const damages: readonly (readonly [string, (file: string) => void])[] = [
  ['is empty', (file) => truncateSync(file, 0)],
  ['is cut off', (file) => truncateSync(file, 300)],
  ['is missing', (file) => rmSync(file)],
];

describe('a mounted state file that a killed server has not filled', () => {
  it.each(damages.flatMap(([name, damage]) => ['default', 'other'].map((id) => [name, id, damage] as const)))(
    'and that %s, of the sandbox %s, is loaded from its copy, and filled again',
    { tags: ['slow'] },
    async (_, id, damage) => {
      const { data, file } = await stored(id);
      damage(file);
      const warnings: string[] = [];
      const server = await serve(data, warnings);
      expect(await descriptionIn(server, id)).toBe('stored');
      expect(warnings).toEqual([]);
      await server.close();
      expect(readFileSync(file, 'utf8')).toContain('"stored"');
      expect(readdirSync(data)).not.toContain(`${id}.json.lp-sandbox.copy`);
    },
  );

  it('is empty for good if there is no copy', async () => {
    const data = join(temporaryFolder(), 'state.json');
    writeFileSync(data, '');
    const server = await serve(data);
    expect(await descriptionIn(server, 'default')).not.toBe('stored');
  });

  it(
    'is not loaded from a copy that is damaged as well: both are moved aside',
    { tags: ['slow'] },
    async () => {
      const { data, file } = await stored('default');
      truncateSync(file, 0);
      truncateSync(`${file}.lp-sandbox.copy`, 300);
      const warnings: string[] = [];
      await serve(data, warnings);
      expect(warnings).toEqual([
        expect.stringContaining(`${file} and ${file}.lp-sandbox.copy cannot be used and were moved`),
      ]);
    },
  );

  it('is not loaded any more after its sandbox was deleted', { tags: ['slow'] }, async () => {
    const { data, file } = await stored('other');
    const server = await serve(data);
    await (await server.sandbox('other'))?.remove();
    expect(readdirSync(data)).not.toContain(`${file}.lp-sandbox.copy`);
    expect(await (await serve(await closed(server, data))).sandbox('other')).toBeNull();
  });
});

async function closed(server: SandboxServer, data: string): Promise<string> {
  await server.close();
  return data;
}
