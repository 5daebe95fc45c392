import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectSandbox, SandboxError } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { errorOf } from '../support/error-of.ts';
import { eventually } from '../support/eventually.ts';
import { hosted, operatorToken, tokenSecret } from '../support/hosted.ts';
import { send } from '../support/send.ts';
import { serve } from '../support/serve.ts';
import { supertest } from '../support/supertest.ts';
import { aQuiz, fetchCall } from '../support/wire.ts';

/** The content of all files in a folder. */
function contentOf(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

describe('a stored sandbox', () => {
  it.each(['stops', 'crashes'] as const)(
    'has the same token after its server %s',
    { tags: ['slow'] },
    async (ending) => {
      const data = temporaryFolder();
      const before = await hosted({ data });
      const first = await before.add();
      const second = await before.add();
      const { body } = await before.ask(second.token, 'POST', `${second.path}/token`).expect(201);
      const next = String(body.token);
      if (ending === 'stops') await before.close();
      const after = await hosted({ data: ending === 'stops' ? data : crashCopy(data) });
      await after.ask(first.token, 'GET', first.path).expect(200);
      await after.ask(first.token, 'GET', second.path).expect(403);
      await after.ask(second.token, 'GET', second.path).expect(401);
      await after.ask(next, 'GET', second.path).expect(200);
      expect((await after.ask(next, 'GET', '/control/access')).body.sandboxId).toBe(second.id);
    },
  );

  it(
    'keeps its token through reset, import and restore, and gives it to no copy',
    { tags: ['slow'] },
    async () => {
      const { ask, add } = await hosted();
      const [own, other] = [await add(), await add()];
      await ask(own.token, 'PUT', `${own.path}/snapshots/before`).expect(200);
      const snapshot = await ask(own.token, 'GET', `${own.path}/snapshots/before`);
      const { body: state } = await ask(own.token, 'GET', `${own.path}/state`).expect(200);
      expect(JSON.stringify([state, snapshot.body])).not.toMatch(/token/i);
      const { body } = await ask(own.token, 'POST', `${own.path}/token`);
      const next = String(body.token);
      await ask(next, 'POST', `${own.path}/snapshots/before/restore`).expect(204);
      await ask(next, 'POST', `${own.path}/reset`).expect(204);
      await ask(other.token, 'PUT', `${other.path}/state`, state).expect(204);
      await ask(next, 'GET', own.path).expect(200);
      await ask(own.token, 'GET', own.path).expect(401);
      await ask(other.token, 'GET', other.path).expect(200);
    },
  );

  it('has neither its token nor the secret in its files', { tags: ['slow'] }, async () => {
    const data = temporaryFolder();
    const { ask, add, close } = await hosted({ data });
    const { path, token } = await add();
    await ask(token, 'PUT', `${path}/snapshots/before`).expect(200);
    const running = contentOf(data);
    await close();
    const mac = token.split('.').at(-1) ?? '';
    for (const content of [running, contentOf(data)]) {
      expect(content).toContain('tokenGeneration');
      expect([content.includes(mac), content.includes(tokenSecret)]).toEqual([false, false]);
    }
  });

  it('keeps its token if the next one cannot be stored', { tags: ['slow'] }, async () => {
    const data = join(temporaryFolder(), 'states');
    const { ask, add, url } = await hosted({ data });
    const { path, token } = await add();
    let current = token;
    rmSync(data, { recursive: true });
    await eventually(async () => {
      const reply = await supertest(url).post(`${path}/token`).set('Authorization', `Bearer ${current}`);
      // What it stores before it notices.
      if (reply.status === 201) current = (reply.body as { readonly token: string }).token;
      expect(reply.status).toBe(503);
    });
    await ask(current, 'GET', path).expect(200);
    mkdirSync(data);
  });

  it('of a server without a secret has none, and gets one with the secret', { tags: ['slow'] }, async () => {
    const data = temporaryFolder();
    const before = await serve({ data });
    await before.createSandbox({ id: 'old' });
    await before.close();
    expect(contentOf(data)).not.toContain('tokenGeneration');
    const { ask } = await hosted({ data });
    const { body } = await ask(operatorToken, 'POST', '/control/sandboxes/old/token').expect(201);
    await ask(String(body.token), 'GET', '/control/sandboxes/old').expect(200);
  });

  it(
    'is not deleted by its token while it cannot be loaded, because the token may be an old one',
    { tags: ['slow'] },
    async () => {
      const data = temporaryFolder();
      const before = await hosted({ data });
      const { id, path, token } = await before.add();
      await before.close();
      const { ask, url } = await hosted({ data });
      const file = join(data, `${id}.json`);
      const good = readFileSync(file, 'utf8');
      writeFileSync(file, good.replace('"version": 3', '"version": 4'));
      const headers = { Authorization: `Bearer ${token}` };
      for (const reply of [
        await supertest(url).delete(path).set(headers),
        await send(`${url}${path}`, headers),
        await send(`${url}/control/access`, headers),
      ])
        expect([reply.status, reply.text.includes(data)]).toEqual([503, false]);
      writeFileSync(file, good);
      await ask(token, 'GET', path).expect(200);
    },
  );
});

describe('code', () => {
  it('gets the token of a sandbox that it creates, here and elsewhere', { tags: ['slow'] }, async () => {
    const server = await hosted();
    const far = await connectSandbox({ url: server.url, token: operatorToken });
    for (const { createSandbox, sandbox } of [server, far]) {
      const created = await createSandbox();
      await server.ask(created.token, 'GET', `/control/sandboxes/${created.id}`).expect(200);
      expect((await sandbox(created.id))?.token).toBeNull();
      const before = created.token;
      const issued = await created.issueToken();
      expect([created.token, issued === before]).toEqual([issued, false]);
      await server.ask(issued, 'GET', `/control/sandboxes/${created.id}`).expect(200);
    }
    expect((await (await serve()).createSandbox()).token).toBeNull();
  });

  it('uses a sandbox with its token alone, and no other', { tags: ['slow'] }, async () => {
    const server = await hosted();
    const { id, token } = await server.add();
    const other = await server.add();
    const connected = await connectSandbox({ url: server.url, token });
    const own = connected.default;
    expect([own.id, connected.control.token]).toEqual([id, token]);
    expect((await fetchCall(own, aQuiz)).status).toBe(200);
    expect(await own.journal.list()).toHaveLength(1);
    expect((await own.report()).sandbox).toBe(id);
    for (const attempt of [
      () => connected.createSandbox(),
      () => connected.sandbox(other.id),
      () => connected.sandbox('nobodys'),
      () => connected.sandbox('default'),
    ]) {
      const error = await errorOf(attempt());
      expect(error).toBeInstanceOf(SandboxError);
      expect(error.message).toContain(`permits only requests for the sandbox "${id}"`);
      expect(error.message).not.toContain(token);
    }
  });
});
