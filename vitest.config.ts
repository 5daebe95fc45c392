import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { configDefaults, defineConfig } from 'vitest/config';

// Tests run most code a few times. By default, V8 spends a quarter of all CPU time of the run on optimizing functions that it then runs
// no more. This is 15 times the default; it applies to the threads that are started from here on.
setFlagsFromString('--interrupt-budget=1000000');

const modules = join(import.meta.dirname, 'node_modules');
// Vitest's cache does not notice that a module has another name, and fails the run that clears it because another version of a package
// was installed. So other packages, or other names of files, have another cache.
const installed = join(modules, '.package-lock.json');
const state = createHash('sha256').update(existsSync(installed) ? readFileSync(installed) : '');
for (const folder of ['src', 'test'])
  state.update(
    readdirSync(join(import.meta.dirname, folder), { encoding: 'utf8', recursive: true })
      .toSorted()
      .join('\n'),
  );
const caches = join(modules, '.cache/vitest');
mkdirSync(caches, { recursive: true });
for (const other of readdirSync(caches)) {
  const unusedFor = Date.now() - statSync(join(caches, other)).mtimeMs;
  if (unusedFor > 24 * 60 * 60 * 1000) rmSync(join(caches, other), { recursive: true, force: true });
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They take a machine of their own: `npm run test:chaos`.
    exclude: ['test/chaos/**', ...configDefaults.exclude],
    globalSetup: ['test/support/build-first.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    pool: 'threads',
    isolate: false,
    // Many tests wait for programs that they start, so a worker per processor is not too many.
    maxWorkers: availableParallelism(),
    // A default import of a CommonJS module is what Node makes of it.
    deps: { interopDefault: false },
    // Transforming the modules takes a tenth of a run. The cache goes by their content.
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: join(caches, state.digest('hex').slice(0, 16)),
    },
    tags: [
      {
        name: 'slow',
        description: 'Takes more than 60 ms. `npm test` leaves it to `npm run test:outside`.',
      },
    ],
    // Against what never ends. How long something takes on a busy machine says nothing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    reporters: ['default', './test/support/closing-line.ts'],
  },
});
