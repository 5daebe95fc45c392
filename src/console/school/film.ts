import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../html.ts';
import { mayAutoplay } from '../parts/autoplay.ts';
import { reason, urlOf, type PlaybackSource } from '../panels/player/playback.ts';

/** The video, and how far it has come. */
export function Film({ source }: { readonly source: PlaybackSource }): VNode {
  const video = useRef<HTMLVideoElement>(null);
  const [step, setStep] = useState('Loading the recording …');
  useEffect(() => {
    let wanted = true;
    let end = (): void => {};
    const onStep = (words: string): void => {
      if (wanted) setStep(words);
    };
    const onFailed = (details: string): void =>
      void reason(urlOf(source)).then((why) =>
        onStep(`Playback failed: ${details}. The server returned: ${why}`),
      );
    const start = async (): Promise<void> => {
      const { play } = await import('../panels/player/hls.ts');
      if (wanted && video.current !== null) end = play(video.current, source, { onStep, onFailed });
    };
    start().catch((error: unknown) => onStep(`The player could not be loaded: ${String(error)}`));
    return () => {
      wanted = false;
      end();
    };
  }, []);
  return html`<video ref=${video} class="film" controls muted autoplay=${mayAutoplay()} playsinline aria-label="The recording"></video>
    <p class="soft small" role="status">${step}</p>`;
}
