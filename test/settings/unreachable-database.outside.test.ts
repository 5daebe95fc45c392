import { describe, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { refusingPort } from '../support/ports.ts';

describe('--data with the URL of a database', () => {
  it('names the place without its secrets if it cannot be reached', async () => {
    const port = await refusingPort();
    for (const url of [
      `postgres://admin:secret-word@127.0.0.1:${port}/sandboxes`,
      `postgres://127.0.0.1:${port}/sandboxes?user=admin&password=secret-word`,
    ]) {
      const { code, out, err } = await run(['--port', '0', '--data', url]);
      expect(code).toBe(1);
      expect(err).toMatch(/--data postgres:.* cannot be used: .*ECONNREFUSED/);
      expect(out + err).not.toContain('secret-word');
    }
  });
});
