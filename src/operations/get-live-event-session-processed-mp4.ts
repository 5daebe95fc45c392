import { sessionFolder, signedQuery } from '../media/signed-url.ts';
import type { Operation } from './shared/operation.ts';
import { recordedSession } from './shared/recording.ts';

type Uses = 'find' | 'now' | 'assume' | 'origin' | 'sandboxId' | 'secret';

/** Returns the download URL of a session's recording (specification, endpoint 13). */
export const getLiveEventSessionProcessedMp4: Operation<'get-live-event-session-processed-mp4', Uses> = (
  { liveEventSessionId },
  services,
) => {
  const session = recordedSession(liveEventSessionId, services);
  if (session === null) return { downloadUrl: '' };
  const folder = sessionFolder(services.sandboxId, session.id);
  return { downloadUrl: `${services.origin}${folder}recording.mp4${signedQuery(folder, services)}` };
};
