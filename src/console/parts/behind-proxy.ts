import { createContext, type VNode } from 'preact';
import { html } from '../html.ts';

/** The service to which the server forwards all calls; null if the server is no proxy, or not known yet. */
export const Upstream = createContext<string | null>(null);

interface Props {
  readonly upstream: string;
  /** What follows from that, as the end of a sentence. */
  readonly effect: string;
  /** What a sandbox is needed for, as the beginning of a sentence: “To …”. */
  readonly purpose: string;
}

/** Says why something is not offered behind a proxy, and what to do instead. */
export function BehindProxy({ upstream, effect, purpose }: Props): VNode {
  return html`<p class="notice">
    This server is a proxy: it forwards all calls to <code>${upstream}</code>, so ${effect}. ${purpose}, start a sandbox with <code>npm start</code>.
  </p>`;
}
