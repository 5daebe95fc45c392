import { describe, expect, it } from 'vitest';
import { calibrate } from '../../src/commands/calibrate/command.ts';
import { understand } from '../../src/commands/arguments.ts';
import { errorText, WrongNameError } from '../../src/commands/error-text.ts';
import { readUpstreamUrl } from '../../src/commands/upstream-url.ts';
import { fileURLToPath } from 'node:url';

const key = 'qx_test_9fKd27-LmPzR/84+uVbWc=31yT';

function messageFor(args: readonly string[], environment: NodeJS.ProcessEnv): string {
  try {
    const request = understand(args, [calibrate], calibrate);
    if (request.kind === 'run') readUpstreamUrl(request.given, 'to probe');
  } catch (error) {
    return errorText(error, args, environment);
  }
  throw new Error('There was no complaint.');
}

function partsIn(text: string): readonly string[] {
  return Array.from({ length: key.length - 4 }, (_, at) => key.slice(at, at + 5)).filter((part) =>
    text.toLowerCase().includes(part.toLowerCase()),
  );
}

describe('the message of an error that ends a command', () => {
  it('shows the names of the sandbox, even if a key has the same words', () => {
    const error = new WrongNameError('There is no school "Zq7wXv42". Its schools: riverside, hillcrest.', [
      'riverside',
      'hillcrest',
    ]);
    const environment = { UPSTREAM_API_KEY: 'key_riverside_Zq7wXv42' };
    expect(errorText(error, [], environment)).toBe(
      'There is no school "[key]". Its schools: riverside, hillcrest.',
    );
  });

  it('shows the flags of a command, even if a key has the same words', () => {
    const args = ['calibrate', '--no-such-flag'];
    const message = messageFor(args, { UPSTREAM_API_KEY: 'key_second_insecure_Zq7wXv42' });
    expect(message).toMatch(/^calibrate has no flag --no-such-flag\. Known: .*--insecure .*--second-key /);
    expect(message).not.toContain('[key]');
  });

  it.each([
    ['an argument without a flag', ['calibrate', key]],
    ['a flag', ['calibrate', `--${key}`]],
    ['a command', [key]],
    ['a URL', ['calibrate', '--upstream', key]],
    ['a URL, encoded', ['calibrate', '--upstream', encodeURIComponent(key)]],
  ])('quotes %s without the key in it', (_, args) => {
    const message = messageFor(args, { UPSTREAM_API_KEY: key });
    expect(message).toContain('[key]');
    expect(partsIn(message)).toEqual([]);
  });

  it.each([
    ['--api-key', ['--api-key', key]],
    ['--api-key=', [`--api-key=${key}`]],
    ['--second-key', ['--second-key', key]],
    ['--other-key', ['--other-key', key]],
    ['--key, if it names no file', ['--key', key]],
  ])('knows the key of %s', (_, flags) => {
    expect(partsIn(errorText(new Error(`no ${key}`), ['calibrate', ...flags], {}))).toEqual([]);
  });

  it('shows the name of a file of --key', () => {
    const file = fileURLToPath(import.meta.url);
    expect(errorText(`${file} is no PEM file`, ['proxy', '--key', file], {})).toBe(`${file} is no PEM file`);
  });
});
