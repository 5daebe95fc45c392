import { keyOf, shortened } from '../../sandbox/keys.ts';
import type { RecordedCall, SandboxFacts } from '../recording/recording.ts';

/** The keys of the sandbox that plays a recording. */
export interface StageKeys {
  readonly sandboxId: string;
  /** The school for recordings of other services, and for journals of proxies. */
  readonly school: string;
  /** The labels that additional keys of a school may have. */
  readonly labels: (school: string) => readonly string[];
}

/** The key of a replayed call; null for none. */
export interface ReplayKey {
  readonly key: string | null;
  /** Whether messages about the key may differ, for example because the recording does not show it. */
  readonly isGuessed: boolean;
}

/** Returns the key for a recorded call. A journal has only shortened keys, and names the school. */
export function replayKey(
  { requestHeaders, sandbox, status }: RecordedCall,
  recordedId: string,
  { sandboxId, school, labels }: StageKeys,
): ReplayKey {
  const sent = requestHeaders.get('service-api-key');
  if (sandbox === null) return { key: keyOf(sandboxId, school), isGuessed: false };
  // Another sandbox does not get calls without a valid key: the default one of its server answers them.
  const isElsewhere = sandbox.school === null && recordedId !== sandboxId;
  if (sent === undefined) return { key: null, isGuessed: isElsewhere };
  if (sandbox.school !== null) {
    const known = [...labels(sandbox.school), ...(sandbox.scope === null ? [] : [sandbox.scope])];
    const label = known.find(
      (one) => shortened(`${keyOf(recordedId, sandbox.school ?? '')}_${one}`) === sent,
    );
    const plain = keyOf(sandboxId, sandbox.school);
    const isPlain = shortened(keyOf(recordedId, sandbox.school)) === sent;
    return { key: label === undefined || isPlain ? plain : `${plain}_${label}`, isGuessed: false };
  }
  // The service behind a proxy accepted the key.
  if (!isKeyRefused(status, sandbox)) return { key: keyOf(sandboxId, school), isGuessed: false };
  if (!sent.includes('…')) return { key: sent, isGuessed: isElsewhere };
  const isOwn = sent.startsWith('sbx_');
  return { key: isOwn ? keyOf(sandboxId, 'no-such-school') : 'no-such-key', isGuessed: true };
}

/** Whether a response refuses the key. Some sandboxes do so with status 200. */
function isKeyRefused(status: number, { outcome }: SandboxFacts): boolean {
  return status === 401 || status === 403 || outcome === 'invalid-key';
}
