import { SandboxError } from '../../base/errors.ts';
import { fileChangedAt, readTextFile } from '../../store/text-file.ts';
import { failedTestsIn } from './failed-tests.ts';

/** Stands for the id of a run in a path. */
const placeholder = '{run}';

/** The JUnit files that the program writes, one per run. */
export class JunitFiles {
  readonly #path: string | null;

  /** Throws SandboxError if parallel runs would write the same file. */
  constructor(path: string | null, jobs: number) {
    this.#path = path;
    if (path !== null && jobs > 1 && !path.includes(placeholder))
      throw new SandboxError(
        `--junit ${JSON.stringify(path)} must contain ${placeholder} if --jobs is more than 1, because each run writes its own file. ${placeholder} becomes the value of SANDBOX_ID.`,
      );
  }

  /** Returns a function that checks whether the file of a run has been written since. */
  watch(id: string): () => boolean {
    const path = this.#pathFor(id);
    if (path === null) return () => false;
    const before = fileChangedAt(path);
    return () => fileChangedAt(path) !== before;
  }

  /** Returns the names of the failed tests in the file of a run. */
  failedTestsOf(id: string): readonly string[] {
    const path = this.#pathFor(id);
    return failedTestsIn(path === null ? '' : (readTextFile(path, '--junit') ?? ''));
  }

  #pathFor(id: string): string | null {
    return this.#path?.replaceAll(placeholder, id) ?? null;
  }
}
