/**
 * A module or file of the program cannot be loaded now: no file descriptor is left, or another version is
 * being installed. A later attempt may succeed.
 */
export class NotAvailableError extends Error {
  constructor(what: string, cause: unknown) {
    super(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/**
 * Loads a module that is imported on first use. Rejects with NotAvailableError if that fails; the next call
 * tries again.
 */
export async function onDemand<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new NotAvailableError('A part of the program cannot be loaded', error);
  }
}

/**
 * Returns a function that loads a value once. Concurrent callers share an attempt; after a failure the next
 * call tries again.
 */
export function onceOnDemand<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return async () => {
    const attempt = (loading ??= onDemand(load));
    try {
      return await attempt;
    } catch (error) {
      if (loading === attempt) loading = null;
      throw error;
    }
  };
}
