import { basename } from 'node:path';
import { SandboxError } from '../base/errors.ts';
import { writeTextFile } from '../store/text-file.ts';
import type { CommandFlag } from './command.ts';

/** How a file's content is made, by the suffix of its name. */
export type Renderers<T> = Readonly<Record<string, (subject: T) => string>>;

/** A file that was asked for. */
export interface WantedFile<T> {
  readonly path: string;
  readonly render: (subject: T) => string;
}

export function reportFlag(suffixes: string): CommandFlag {
  return { name: 'report', value: 'FILE…', help: `write the report to files, each by its suffix: ${suffixes}`, several: 'one or more' };
}

/** The files, each with what renders it. Throws SandboxError for a suffix that is not known. */
export function readReportFiles<T>(paths: readonly string[], renderers: Renderers<T>): readonly WantedFile<T>[] {
  return paths.map((path) => {
    const [, suffix = ''] = /\.(\w+)$/.exec(basename(path).toLowerCase()) ?? [];
    const kind = suffix === 'xml' ? 'junit.xml' : suffix;
    const render = Object.hasOwn(renderers, kind) ? renderers[kind] : undefined;
    if (render !== undefined) return { path, render };
    const known = Object.keys(renderers).map((one) => `.${one}`);
    const none = kind === 'html' ? ' There is no page of it in HTML.' : '';
    throw new SandboxError(`--report ${JSON.stringify(path)} must end in one of ${known.join(', ')}; any .xml is JUnit.${none}`);
  });
}

/** Writes the files, and tells of it in a line or two. False where one could not be written. */
export function writeReportFiles<T>(files: readonly WantedFile<T>[], subject: T, err: (text: string) => void): boolean {
  const written: string[] = [];
  const failures: string[] = [];
  for (const { path, render } of files) {
    try {
      writeTextFile(path, render(subject));
      written.push(path);
    } catch (error) {
      failures.push(`The report could not be written to ${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (written.length > 0) err(`lp-sandbox: wrote ${written.join(', ')}\n`);
  for (const failure of failures) err(`lp-sandbox: ${failure}\n`);
  return failures.length === 0;
}
