import { basename } from 'node:path';
import { SandboxError } from '../base/errors.ts';
import { writeTextFile } from '../store/text-file.ts';
import type { CommandFlag } from './command.ts';

/** Renders a file's content, by the suffix of its name. */
export type Renderers<T> = Readonly<Record<string, (subject: T) => string>>;

/** A report file to write. */
export interface WantedFile<T> {
  readonly path: string;
  readonly render: (subject: T) => string;
}

export function reportFlag(suffixes: string): CommandFlag {
  return {
    name: 'report',
    value: 'FILE…',
    help: `write the report to files; the suffix sets the format: ${suffixes}`,
    several: 'one or more',
  };
}

/** Returns the files with their renderers. Throws SandboxError for an unknown suffix. */
export function readReportFiles<T>(
  paths: readonly string[],
  renderers: Renderers<T>,
): readonly WantedFile<T>[] {
  return paths.map((path) => {
    const [, suffix = ''] = /\.(\w+)$/.exec(basename(path).toLowerCase()) ?? [];
    const kind = suffix === 'xml' ? 'junit.xml' : suffix;
    const render = Object.hasOwn(renderers, kind) ? renderers[kind] : undefined;
    if (render !== undefined) return { path, render };
    const known = Object.keys(renderers).map((one) => `.${one}`);
    const none = kind === 'html' ? ' HTML is not available for this report.' : '';
    throw new SandboxError(
      `--report ${JSON.stringify(path)} must end in one of ${known.join(', ')}; any .xml is JUnit.${none}`,
    );
  });
}

/** Writes the files and prints the result. Returns false if one could not be written. */
export function writeReportFiles<T>(
  files: readonly WantedFile<T>[],
  subject: T,
  err: (text: string) => void,
): boolean {
  const written: string[] = [];
  const failures: string[] = [];
  for (const { path, render } of files) {
    try {
      writeTextFile(path, render(subject));
      written.push(path);
    } catch (error) {
      failures.push(
        `Cannot write the report to ${path}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  if (written.length > 0) err(`lp-sandbox: wrote ${written.join(', ')}\n`);
  for (const failure of failures) err(`lp-sandbox: ${failure}\n`);
  return failures.length === 0;
}
