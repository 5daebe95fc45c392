import { SandboxError } from '../../base/errors.ts';
import { fieldOf } from '../../base/is-object.ts';
import type { OperationName } from '../../contract/operation-types.ts';
import type { Digest } from './mask/digest.ts';
import type { IncidentState } from './incidents.ts';
import type { Replacements } from './mask/masker.ts';
import type { NotebookState } from './notebook-state.ts';
import type { OperationCount } from './report.ts';
import type { DroppedFields, FieldTally, KeptWord } from './tally.ts';

/** All that a recording knows, as plain data: masked values, and digests of keys and of replaced values. */
export interface RecordingState {
  readonly notebook: NotebookState;
  readonly keys: readonly string[];
  readonly counts: readonly (OperationCount & { readonly operation: OperationName })[];
  readonly fields: readonly FieldTally[];
  readonly words: readonly KeptWord[];
  readonly dropped: DroppedFields;
  readonly replacements: Replacements;
  readonly incidents: IncidentState;
}

/** A state with what shows that it is whole and which secret it had. */
export interface SealedState {
  readonly version: number;
  readonly secret: string;
  readonly seal: string;
  readonly state: RecordingState;
}

const version = 2;

export function seal(digest: Digest, state: RecordingState): SealedState {
  return { version, secret: secretCheck(digest), seal: sealOf(digest, state), state };
}

/** Returns the state. Throws SandboxError if it had another secret, or was changed since. */
export function unseal(digest: Digest, sealed: object): RecordingState {
  const state = fieldOf(sealed, 'state');
  if (fieldOf(sealed, 'version') !== version)
    throw new SandboxError(
      'The recording was made by another version of lp-sandbox. Record again into a new folder.',
    );
  if (fieldOf(sealed, 'secret') !== secretCheck(digest))
    throw new SandboxError(
      'The recording was made with another secret: set --secret to that one. Otherwise, the same person would get two names.',
    );
  if (fieldOf(sealed, 'seal') !== sealOf(digest, state))
    throw new SandboxError('The state of the recording was changed. Record again into a new folder.');
  // Only `seal` knows the secret, so it is what `seal` was given.
  return state as RecordingState;
}

function secretCheck(digest: Digest): string {
  return digest('secret of a recording', '').toString('base64url');
}

function sealOf(digest: Digest, state: unknown): string {
  return digest('state of a recording', JSON.stringify(state) ?? '').toString('base64url');
}
