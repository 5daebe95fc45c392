import { expect, it } from 'vitest';
import { planNamed } from '../../src/generate/counts.ts';
import { makeWorld } from '../../src/generate/world.ts';

it(
  'a school is generated in steps of a few records, because some take milliseconds each',
  { tags: ['slow'] },
  () => {
    const steps = makeWorld(planNamed('generated:quizzes=20').plan);
    let last = 0;
    for (let step = steps.next(); step.done !== true; step = steps.next()) {
      expect(step.value - last).toBeLessThanOrEqual(5);
      last = step.value;
    }
    expect(last).toBeGreaterThan(100);
  },
);
