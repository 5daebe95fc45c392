import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

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
    // Against what never ends. How long something takes on a busy machine says nothing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    reporters: ['default', './test/support/closing-line.ts'],
  },
});
