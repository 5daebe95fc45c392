import { ConflictError } from '../base/errors.ts';
import { StateCapacityError } from '../sandbox/state-memory.ts';

/** Returns the error of files that are in the way or do not fit: they are no usage error, so the program exits with 1. */
export function unloadable(error: unknown, isStored: boolean): unknown {
  if (error instanceof ConflictError) return new Error(error.message, { cause: error });
  return isStored ? tooSmall(error) : error;
}

/** Returns the error of a stored sandbox for which this server has too little memory; others as they are. */
export function tooSmall(error: unknown): unknown {
  if (!(error instanceof StateCapacityError)) return error;
  const { what, flag } = error;
  return new Error(
    `A stored sandbox does not fit into the memory of this server: ${what}. Start the server with the ${flag} that it had before, or a larger one.`,
    { cause: error },
  );
}
