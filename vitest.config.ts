import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/generate-first.ts'],
    pool: 'threads',
    isolate: false,
    // A default import of a CommonJS module is what Node makes of it.
    deps: { interopDefault: false },
    testTimeout: 20_000,
    reporters: ['default', './test/support/closing-line.ts'],
  },
});
