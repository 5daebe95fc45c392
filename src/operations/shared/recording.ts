import type { Records } from '../../contract/generated/facts.ts';
import { needed, OperationFailed, type Services } from './operation.ts';

const idPointer = '/liveEventSessionId';

type Session = Records['liveEventSessions'];

/** Returns whether a session has ended, on the sandbox's clock. */
export function hasEnded(session: Session, now: number): boolean {
  return Date.parse(session.endsAtIso) <= now;
}

/**
 * Returns the session if it has a recording. Otherwise throws OperationFailed, or returns null with
 * `empty-sources` (endpoints 7 and 13).
 */
export function recordedSession(
  id: string | undefined,
  { find, now, assume }: Pick<Services, 'find' | 'now' | 'assume'>,
): Session | null {
  const session = find('liveEventSessions', needed(id, idPointer), idPointer, 'live event session');
  const ended = hasEnded(session, now);
  if (ended && session.recordedSources.length > 0) return session;
  if (assume('unfinishedSession') === 'empty-sources') return null;
  const reason = ended ? 'was not recorded' : `has not ended; it ends at ${session.endsAtIso}`;
  throw new OperationFailed(
    'conflict',
    idPointer,
    `The live event session "${session.id}" has no recording: it ${reason}.`,
  );
}
