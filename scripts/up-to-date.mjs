/**
 * Knows whether `dist/` is what a build makes of the present sources. `npm start` asks each time. This is plain
 * JavaScript, because Node 20 would have to load a compiler first, which takes longer than the rest of the
 * start.
 *
 * A build removes the stamp before it reads any source, and writes it after its last file. The stamp has
 * fingerprints of the content of all inputs and of all files in `dist/`. So a stamp that matches both means
 * that no build is replacing files from older sources, and that no other build, such as one of an
 * interrupted process or of the tests, has left its files among them.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';

/**
 * Everything that a build reads. npm writes the last one at each installation: other packages may be installed
 * than at the last build, although the lockfile is the same.
 */
const inputs = [
  'docs',
  'fixtures',
  'openapi',
  'scripts',
  'src',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
];

/** The build derives them from `openapi/`. */
const derived = join('src', 'contract', 'generated');

const outputs = ['dist/bundle', 'dist/console', 'dist/reference'];

export const stampFile = 'dist/.build.json';

/** Returns a fingerprint of everything that a build in this folder depends on. */
export function fingerprintOfInputs(root = '.') {
  const files = inputs.flatMap((path) => filesOf(root, path)).filter((path) => !path.startsWith(derived));
  return fingerprint(root, files, `${process.version} ${process.platform}`);
}

/** Returns a fingerprint of the files that a build has made. The types of the package are built separately. */
export function fingerprintOfOutputs(root = '.') {
  const files = outputs.flatMap((path) => filesOf(root, path));
  return fingerprint(
    root,
    files.filter((path) => !/(^|[\\/])\.|\.d\.ts$/.test(path)),
    '',
  );
}

/** Returns why a build is needed, or null if the last one is up to date. */
export function reasonToBuild(root = '.') {
  const stamp = readStamp(root);
  if (stamp === null) return 'there is no complete build';
  if (stamp.inputs !== fingerprintOfInputs(root)) return 'the sources have changed';
  return stamp.outputs === fingerprintOfOutputs(root) ? null : 'files in dist have changed';
}

export function readStamp(root = '.') {
  try {
    return JSON.parse(readFileSync(join(root, stampFile), 'utf8'));
  } catch {
    return null;
  }
}

function filesOf(root, path) {
  if (!existsSync(join(root, path))) return [];
  // A file has no entries.
  if (path.endsWith('.json')) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function fingerprint(root, files, start) {
  const hash = createHash('sha256').update(start);
  for (const path of files.toSorted()) {
    const content = readFileSync(join(root, path));
    hash.update(`\n${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}
