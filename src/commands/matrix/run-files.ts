import { join } from 'node:path';
import { runRenderers } from '../exec/run-files.ts';
import { requirePath, requireWritableFile } from '../../store/writable-file.ts';
import { writeReportFile } from '../report-files.ts';

type KeptRun = Parameters<(typeof runRenderers)[string]>[0];

/** The files of a failed run: its report for people and programs, and its journal. */
const suffixes = ['html', 'json', 'har'];

/** Keeps the reports and journals of failed runs. */
export class RunFiles {
  readonly #folder: string | null;

  /** Without a folder, they are next to the first report file, such as `matrix-runs/` for `matrix.md`. */
  constructor(folder: string | null, [report]: readonly string[]) {
    this.#folder =
      folder ?? (report === undefined ? null : `${report.replace(/(?:\.junit)?\.\w+$/i, '')}-runs`);
  }

  /** Throws an error if the files of the first run cannot be written. */
  requireWritable(): void {
    if (this.#folder === null) return;
    requirePath('--keep', this.#folder);
    requireWritableFile('--keep', join(this.#folder, 'defaults.html'));
  }

  /** Writes the files of a run, and returns their paths. What cannot be written is reported to `err`. */
  keep(id: string, run: KeptRun, err: (text: string) => void): readonly string[] {
    const folder = this.#folder;
    if (folder === null) return [];
    return suffixes.flatMap((suffix) => {
      const render = runRenderers[suffix];
      if (render === undefined) return [];
      const path = join(folder, `${id}.${suffix}`);
      const failure = writeReportFile({ path, render }, run);
      if (failure === null) return [path];
      err(`lp-sandbox: ${failure.message}\n`);
      return [];
    });
  }
}
