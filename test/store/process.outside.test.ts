import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox, type SandboxServer } from '../../src/index.ts';
import { run, startProgram, temporaryFolder, type Program } from '../support/command.ts';
import { coupon } from '../support/demo.ts';

/** A program on the data, gone after the test at the latest. */
async function startOn(data: string): Promise<Program> {
  const program = await startProgram(['--port', '0', '--data', data]);
  onTestFinished(async () => void (await program.stop('SIGKILL')));
  return program;
}

async function acknowledge(url: string, description: string): Promise<void> {
  const parameters = {
    serviceCouponCodeId: coupon.id,
    serviceDigitalProductId: coupon.productId,
    description,
  };
  const { body, text } = await supertest(url)
    .post('/public/update-digital-product-coupon')
    .set('SERVICE-API-KEY', 'sbx_default_riverside')
    .send({ data: [{ data: parameters }] });
  expect(body, text).toEqual([{ output: { status: 'ok', data: {} } }]);
}

/** The description of the coupon for a server that starts on the data now, and what it was warned of. */
async function afterRestart(
  data: string,
): Promise<{ description: string | undefined; warnings: readonly string[] }> {
  const warnings: string[] = [];
  const server: SandboxServer = await startSandbox({
    port: 0,
    data,
    warn: (message) => warnings.push(message),
  });
  const record = await server.default.state.get('coupons', coupon.id);
  await server.close();
  return { description: record?.description, warnings };
}

describe('data that a server of another process has', () => {
  it('is refused to a second server with exit code 2, naming the first, until that one is killed; what it has acknowledged is there', async () => {
    const data = join(temporaryFolder(), 'state.json');
    const first = await startOn(data);

    const refused = await run(['--port', '0', '--data', data]);
    expect({ code: refused.code, out: refused.out }).toEqual({ code: 2, out: '' });
    expect(refused.err).toContain(`${data} is in use by another server (process ${first.pid}, 127.0.0.1).`);
    expect(refused.err).toContain('Stop that server, or use another --data.');
    await expect(startSandbox({ port: 0, data })).rejects.toThrow(`process ${first.pid}`);

    await acknowledge(first.url, 'survives a kill');
    expect(await first.stop('SIGKILL')).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(await afterRestart(data)).toEqual({ description: 'survives a kill', warnings: [] });
  });

  it('holds every acknowledged change after SIGTERM, however short after the reply', async () => {
    const data = temporaryFolder();
    const program = await startOn(data);
    await acknowledge(program.url, 'survives a stop');
    const { code, err } = await program.stop('SIGTERM');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(await afterRestart(data)).toEqual({ description: 'survives a stop', warnings: [] });
  });
});

describe('data that a server of the same process has', () => {
  it('is refused to a second one, and free after close', async () => {
    const data = join(temporaryFolder(), 'states');
    const first = await startSandbox({ port: 0, data });
    await expect(startSandbox({ port: 0, data })).rejects.toThrow(
      'is in use by another server (a server inside another program)',
    );
    await first.close();
    await (await startSandbox({ port: 0, data })).close();
  });

  it('is refused to a second one and keeps its changes where its path is too long for a socket', async () => {
    const data = join(temporaryFolder(), 'x'.repeat(120));
    const first = await startSandbox({ port: 0, data });
    onTestFinished(() => first.close().catch(() => {}));
    await expect(startSandbox({ port: 0, data })).rejects.toThrow(
      'is in use by another server (a server inside another program)',
    );
    await acknowledge(first.url, 'kept');
    await first.close();
    expect(await afterRestart(data)).toEqual({ description: 'kept', warnings: [] });
  });

  it('of another machine is free after some seconds without a sign of it', async () => {
    const data = temporaryFolder();
    writeFileSync(
      join(data, 'lp-sandbox.lock'),
      JSON.stringify({ owner: 'the other', token: 't', machine: 'another', address: 'a', beat: 0 }),
    );
    await (await startSandbox({ port: 0, data })).close();
  });

  it('is free after a start that did not succeed', async () => {
    const data = temporaryFolder();
    const newer = join(data, 'newer.json');
    writeFileSync(newer, '{"format":"learning-platform-sandbox/state","version":4}');
    await expect(startSandbox({ port: 0, data })).rejects.toThrow('its version is the number 4');
    rmSync(newer);
    await (await startSandbox({ port: 0, data })).close();
  });

  it('is refused under another name, too', async () => {
    const folder = temporaryFolder();
    const first = await startSandbox({ port: 0, data: folder });
    onTestFinished(() => first.close());
    const second = startSandbox({ port: 0, data: join(folder, 'default.json') }).then((server) =>
      server.close(),
    );
    await expect(second).rejects.toThrow('is in use by another server');
  });
});
