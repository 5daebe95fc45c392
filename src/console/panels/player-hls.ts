import HlsPlayer, { Events, type HlsConfig, type Loader, type LoaderCallbacks, type LoaderConfiguration, type LoaderContext } from 'hls.js';
import type { PlaybackSource } from './player-playback.ts';
import { urlOf } from './player-playback.ts';

/** What a player tells while it plays. */
export interface Listener {
  readonly onStep: (words: string) => void;
  /** It gave up. `status` is of the reply that made it, where one did. */
  readonly onFailed: (details: string, status: number | undefined) => void;
}

/** Plays one of the playback sources, just as it came; the key is the one of the source. Returns how to end it. */
export function play(video: HTMLVideoElement, source: PlaybackSource, { onStep, onFailed }: Listener): () => void {
  // The policy of the page lets no worker be made from a text.
  const hls = new HlsPlayer({
    enableWorker: false,
    loader: loaderWithKey(keyIn(source)),
    xhrSetup: (xhr, url) => xhr.open('GET', new URL(source.urlSearchParamString, url)),
  });
  hls.on(Events.MANIFEST_PARSED, (_, { levels }) => onStep(`The playlist opened: ${levels.length} renditions.`));
  hls.once(Events.KEY_LOADED, () => onStep('The key of the source was taken for the segments.'));
  hls.on(Events.FRAG_BUFFERED, (_, { frag }) => onStep(`Segment ${frag.sn} was fetched and decrypted.`));
  hls.on(Events.ERROR, (_, { fatal, details, response }) => {
    if (!fatal) return;
    hls.destroy();
    onFailed(details, response?.code);
  });
  hls.loadSource(urlOf(source));
  hls.attachMedia(video);
  return () => hls.destroy();
}

function keyIn({ clearkeyDecryptionKeyInHex: digits }: PlaybackSource): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** Gives the key by hand and fetches the rest. */
function loaderWithKey(key: Uint8Array): HlsConfig['loader'] {
  return class extends HlsPlayer.DefaultConfig.loader implements Loader<LoaderContext> {
    override load(context: LoaderContext, config: LoaderConfiguration, callbacks: LoaderCallbacks<LoaderContext>): void {
      if (!('keyInfo' in context)) return super.load(context, config, callbacks);
      queueMicrotask(() => callbacks.onSuccess({ url: context.url, data: key.slice().buffer }, this.stats, context, null));
    }
  };
}
