import { describe, expect, it } from 'vitest';
import { chooseOptions } from '../../src/assumptions.ts';
import { ParameterCheckSource } from '../../src/contract/parameter-checks.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { readSeed } from '../../src/store/read-seed.ts';

describe('a sandbox that is removed twice', () => {
  it('does not take a later one of its name with it', async () => {
    const options = chooseOptions();
    const checks = await new ParameterCheckSource().checksUnder(options);
    const removed: Sandbox[] = [];
    const sandboxes = new Sandboxes(
      { seed: readSeed('demo'), options, checks, randomSeed: 1, limitScale: null, scenario: null, labels: true },
      { onRemove: (sandbox) => removed.push(sandbox) },
    );
    const first = sandboxes.create({ id: 'one', origin: 'control-plane' });
    sandboxes.remove(first);
    const second = sandboxes.create({ id: 'one', origin: 'control-plane' });
    sandboxes.remove(first);
    expect(sandboxes.get('one')).toBe(second);
    expect(removed).toEqual([first]);
  });
});
