import { describe, expect, it } from 'vitest';
import { assumptionNames, assumptions } from '../../src/assumptions.ts';
import { exampleCalls } from '../../src/upstream/compare/example-calls.ts';
import { mistakeCalls } from '../../src/upstream/compare/mistake-calls.ts';
import { secondSandbox } from '../calibrate/second-sandbox.ts';
import { isAnnounced } from './announced.ts';
import { twoSandboxes } from './two-sandboxes.ts';

const two = twoSandboxes();
const second = secondSandbox();

describe('after calibrate, compare finds only what calibrate announced', () => {
  it.each(
    assumptionNames.flatMap((name) =>
      Object.keys(assumptions[name].options)
        .filter((option) => option !== assumptions[name].default)
        .map((option) => ({ name, option })),
    ),
  )('of a service with $name=$option', async ({ name, option }) => {
    const calibration = await second.calibrated({ [name]: option });
    const found = Object.fromEntries(
      calibration.verdicts.flatMap((one) => (one.option === null ? [] : [[one.name, one.option]])),
    );
    const calls = [...exampleCalls(), ...mistakeCalls()];
    const { differences } = await two.compared({ [name]: option }, found, { calls, probes: null });
    expect(differences.filter((one) => !isAnnounced(one, calibration))).toEqual([]);
  });
});
