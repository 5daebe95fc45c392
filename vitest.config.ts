import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { configDefaults, defineConfig } from 'vitest/config';

// Tests run most code a few times. By default, V8 spends a quarter of all CPU time of the run on optimizing functions that it then runs
// no more. This is 15 times the default; it applies to the threads that are started from here on.
setFlagsFromString('--interrupt-budget=1000000');

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They take a machine of their own: `npm run test:chaos`.
    exclude: ['test/chaos/**', ...configDefaults.exclude],
    globalSetup: ['test/support/build-first.ts'],
    pool: 'threads',
    isolate: false,
    // Many tests wait for programs that they start, so a worker per processor is not too many.
    maxWorkers: availableParallelism(),
    // A default import of a CommonJS module is what Node makes of it.
    deps: { interopDefault: false },
    // Transforming the modules takes a tenth of a run. The cache goes by their content.
    experimental: { fsModuleCache: true },
    tags: [
      {
        name: 'slow',
        description: 'Takes more than 140 ms. `npm test` leaves it to `npm run test:outside`.',
      },
    ],
    // Against what never ends. How long something takes on a busy machine says nothing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    reporters: ['default', './test/support/closing-line.ts'],
  },
});
