import { basename } from 'node:path';
import { SandboxError } from '../base/errors.ts';
import { whyNotWritten } from '../store/unusable-data.ts';
import { writeTextFile, writeTextPieces } from '../store/text-file.ts';
import { requireWritableFile } from '../store/writable-file.ts';
import type { CommandFlag, Given } from './command.ts';

/** The content of a file: a text, or its pieces if it may be longer than a text can be. */
type Content = string | Generator<string>;

/** Renders a file's content, by the suffix of its name. */
export type Renderers<T> = Readonly<Record<string, (subject: T) => Content>>;

/** A report file to write. */
export interface WantedFile<T> {
  readonly path: string;
  readonly render: (subject: T) => Content;
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
    throw new SandboxError(
      `--report ${JSON.stringify(path)} must end in one of ${known.join(', ')}; any .xml is JUnit.`,
    );
  });
}

/** Throws an error if a file cannot be written. Long commands check this before their work. */
export function requireWritableReports(given: Given): void {
  for (const flag of ['report', 'write-baseline'])
    for (const path of given.get(flag) ?? []) requireWritableFile(`--${flag}`, path);
}

/** Writes the files and prints the result. Returns false if one could not be written. */
export function writeReportFiles<T>(
  files: readonly WantedFile<T>[],
  subject: T,
  err: (text: string) => void,
): boolean {
  const failures = files.flatMap((file) => writeReportFile(file, subject) ?? []);
  const written = files.filter(({ path }) => !failures.some((failure) => failure.path === path));
  if (written.length > 0) err(`lp-sandbox: wrote ${written.map(({ path }) => path).join(', ')}\n`);
  for (const { message } of failures) err(`lp-sandbox: ${message}\n`);
  return failures.length === 0;
}

/** Writes a file. Returns null, or why it could not be written. */
export function writeReportFile<T>(
  { path, render }: WantedFile<T>,
  subject: T,
): { readonly path: string; readonly message: string } | null {
  try {
    const content = render(subject);
    if (typeof content === 'string') writeTextFile(path, content);
    else writeTextPieces(path, content);
    return null;
  } catch (error) {
    return { path, message: `Cannot write the report to ${path}: ${whyNotWritten(error)}` };
  }
}
