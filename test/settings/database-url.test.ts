import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/index.ts';
import { errorOf } from '../support/error-of.ts';

describe('--data with the URL of a database', () => {
  it.each([
    'postgres:',
    'postgres:db',
    'postgresql://[',
    'postgres://admin:secret-word@/db',
    'POSTGRES:x?password=secret-word',
  ])('is refused if it is not a URL, like %s, without its secrets', async (data) => {
    const error = await errorOf(startSandbox({ port: 0, data }));
    expect(error.message).toMatch(
      /^data must be the path of a file or folder, or the URL of a PostgreSQL database/,
    );
    expect(error.message).not.toContain('secret-word');
  });

  it('accepts no --data-sync, which is about files', async () => {
    const data = 'postgres://admin:secret-word@db.example/sandboxes';
    const error = await errorOf(startSandbox({ port: 0, data, dataSync: 'always' }));
    expect(error.message).toContain('dataSync (--data-sync) applies only to files');
    expect(error.message).not.toContain('secret-word');
  });
});
