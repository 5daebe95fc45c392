import { SandboxError } from '../base/errors.ts';
import { isDatabaseUrl } from '../settings/database-url.ts';
import type { DataSync } from '../store/data-sync.ts';

interface Storing {
  readonly data?: string;
  readonly dataSync?: DataSync;
}

/** Throws SandboxError if changes should reach a disk on which nothing is stored. */
export function requireData({ data, dataSync }: Storing): void {
  if (dataSync === undefined) return;
  if (data !== undefined && isDatabaseUrl(data))
    throw new SandboxError(
      'dataSync (--data-sync) applies only to files. The database of --data has each change on its disk before the response to it. Omit dataSync.',
    );
  if (data !== undefined) return;
  throw new SandboxError(
    `dataSync (--data-sync) is ${JSON.stringify(dataSync)}, but the server has no data (--data), so it stores nothing. Set data to a file or folder, or omit dataSync.`,
  );
}
