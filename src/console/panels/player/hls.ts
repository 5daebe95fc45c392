import HlsPlayer, {
  Events,
  type HlsConfig,
  type Loader,
  type LoaderCallbacks,
  type LoaderConfiguration,
  type LoaderContext,
} from 'hls.js';
import type { PlaybackSource } from './playback.ts';
import { queryOf, urlOf } from './playback.ts';

/** Callbacks during playback. */
export interface Listener {
  readonly onStep: (words: string) => void;
  /** Playback failed. `status` is the status of the failed response, if there was one. */
  readonly onFailed: (details: string, status: number | undefined) => void;
}

/** Plays a playback source unchanged, with its own key. Returns a function that stops it. */
export function play(
  video: HTMLVideoElement,
  source: PlaybackSource,
  { onStep, onFailed }: Listener,
): () => void {
  // The page's content security policy forbids workers from blobs.
  const hls = new HlsPlayer({
    enableWorker: false,
    loader: loaderWithKey(keyIn(source)),
    xhrSetup: (xhr, url) => xhr.open('GET', new URL(queryOf(source), url)),
  });
  hls.on(Events.MANIFEST_PARSED, (_, { levels }) =>
    onStep(`Opened the playlist: ${levels.length} renditions.`),
  );
  hls.once(Events.KEY_LOADED, () => onStep('Read the segment key from the source.'));
  hls.on(Events.FRAG_BUFFERED, (_, { frag }) => onStep(`Fetched and decrypted segment ${frag.sn}.`));
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

/** Returns a loader that supplies the key itself and fetches everything else. */
function loaderWithKey(key: Uint8Array): HlsConfig['loader'] {
  return class extends HlsPlayer.DefaultConfig.loader implements Loader<LoaderContext> {
    override load(
      context: LoaderContext,
      config: LoaderConfiguration,
      callbacks: LoaderCallbacks<LoaderContext>,
    ): void {
      if (!('keyInfo' in context)) return super.load(context, config, callbacks);
      queueMicrotask(() =>
        callbacks.onSuccess({ url: context.url, data: key.slice().buffer }, this.stats, context, null),
      );
    }
  };
}
