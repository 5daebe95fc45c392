/** Fingerprints of what a build read and wrote. */
interface Stamp {
  readonly inputs: string;
  readonly outputs: string;
}

export const stampFile: string;
export function fingerprintOfInputs(root?: string): string;
export function fingerprintOfOutputs(root?: string): string;
export function reasonToBuild(root?: string): string | null;
export function readStamp(root?: string): Stamp | null;
