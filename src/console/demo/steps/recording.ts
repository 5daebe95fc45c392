import { ask } from '../../api.ts';
import { urlOf, type PlaybackSource } from '../../panels/player/playback.ts';
import { listOf } from '../output.ts';
import { known } from './known.ts';
import { outcome, type Run } from './step.ts';

/** How long the film plays before its link expires. */
const watchedMs = 3000;

export const runRecording: Run<'recording'> = async (stage, captions) => {
  const source = '/0/output/data/playbackSources/0';
  const { output } = await stage.call(captions.sign, {
    operation: 'get-signed-url-data-for-live-event-session-playback',
    parameters: { liveEventSessionId: known.session },
    marked: { response: [`${source}/urlSearchParamString`, `${source}/clearkeyDecryptionKeyInHex`] },
  });
  const [first] = listOf(output, 'playbackSources').map(sourceIn);
  if (first === undefined) return outcome(false, 'The response has no playback source.');
  const url = urlOf(first);
  stage.show({ kind: 'film', source: first });
  const opened = await stage.open(captions.open, url, []);
  await stage.pause(watchedMs);
  const expires = Number(new URL(url).searchParams.get('expires')) * 1000;
  const { now } = await ask('get', '/control/sandboxes/{sandboxId}/clock', { sandboxId: stage.sandbox });
  const seconds = Math.max(0, Math.ceil((expires - Date.parse(now)) / 1000)) + 1;
  const move = { request: ['/seconds'], response: ['/now'] };
  await stage.control(captions.advance, 'post', '/clock/advance', { seconds }, move);
  const late = await stage.open(captions.late, url, ['/detail']);
  return outcome(
    opened === 200 && late === 403,
    `The link returned ${opened} before it expired, and ${late} afterwards.`,
  );
};

function sourceIn(record: Readonly<Record<string, unknown>>): PlaybackSource {
  const text = (name: keyof PlaybackSource): string => {
    const value = record[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    origin: text('origin'),
    masterM3u8Pathname: text('masterM3u8Pathname'),
    urlSearchParamString: text('urlSearchParamString'),
    clearkeyDecryptionKeyInHex: text('clearkeyDecryptionKeyInHex'),
  };
}
