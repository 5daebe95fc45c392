import { locate, type Location, type SandboxFiles } from './locations.ts';
import { hold, type Lock } from './lock.ts';
import { unusableData } from './unusable-data.ts';

/** What a server has of its data. */
export interface Opened {
  readonly location: Location | null;
  readonly lock: Lock | null;
  /** The files of the sandboxes. */
  readonly files: Map<string, SandboxFiles>;
}

/** What a server without `--data` has. */
export const inMemory = { location: null, lock: null };

/** Locks the data. Rejects with SandboxError if another server uses it, or if data cannot be stored there. */
export async function occupied(data: string, owner: string): Promise<Pick<Opened, 'location' | 'lock'>> {
  try {
    const location = locate(data);
    return { location, lock: await hold(location.place, location.name, owner) };
  } catch (error) {
    throw unusableData(data, error);
  }
}
