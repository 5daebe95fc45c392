import { sessionKey } from '../media/encryption.ts';
import { sessionFolder, signedQuery } from '../media/signed-url.ts';
import type { Operation } from './shared/operation.ts';
import { recordedSession } from './shared/recording.ts';

type Uses = 'find' | 'now' | 'assume' | 'origin' | 'sandboxId' | 'secret';

/** Returns the playback data of each source of a session's recording (specification, endpoint 7). */
export const getSignedUrlDataForLiveEventSessionPlayback: Operation<
  'get-signed-url-data-for-live-event-session-playback',
  Uses
> = ({ liveEventSessionId }, services) => {
  const session = recordedSession(liveEventSessionId, services);
  if (session === null) return { playbackSources: [] };
  const folder = sessionFolder(services.sandboxId, session.id);
  const query = signedQuery(folder, services);
  const urlSearchParamString = services.assume('signatureQueryForm') === 'bare' ? query.slice(1) : query;
  const shownFolder = services.assume('playlistPathForm') === 'bare' ? folder.slice(1) : folder;
  return {
    playbackSources: session.recordedSources.map((source) => ({
      masterM3u8Pathname: `${shownFolder}${source}/master.m3u8`,
      origin: services.origin,
      urlSearchParamString,
      clearkeyDecryptionKeyInHex: sessionKey(services.secret, session.id),
    })),
  };
};
