/**
 * A part of the program, or one of its files, cannot be had now: there is no file descriptor left, or another version is being put in
 * its place. A later attempt may succeed.
 */
export class NotAvailableError extends Error {
  constructor(what: string, cause: unknown) {
    super(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Loads a part of the program that is loaded when first needed. Rejects with NotAvailableError if that fails; the next attempt is a new one. */
export async function onDemand<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new NotAvailableError('A part of the program cannot be loaded', error);
  }
}

/** The same for something that is made once from what is loaded: whoever asks at once shares an attempt, and a failure is forgotten. */
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
