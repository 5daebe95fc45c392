import { asProblem } from '../api.ts';

/** Returns null for what does not exist. Rejects with any other problem. */
export async function orNull<T>(load: () => Promise<T>): Promise<T | null> {
  try {
    return await load();
  } catch (error) {
    const problem = asProblem(error);
    if (problem.status === 404) return null;
    throw problem;
  }
}
