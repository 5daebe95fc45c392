import type { TargetedEvent, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { html } from '../html.ts';
import { useMedia } from '../parts/use-media.ts';

/** A page that *Look* opens beside the step. */
export interface Looked {
  readonly at: string;
  readonly path: string;
  /** Grows each time that the page is loaded again. */
  readonly round: number;
  /** The button that opened the page. It gets the focus back. */
  readonly opener: HTMLElement;
}

interface Props {
  readonly looked: Looked;
  readonly onClose: () => void;
}

/** A page of this server beside the step; on a small screen, in front of it. */
export function SideView({ looked, onClose }: Props): VNode {
  const isWide = useMedia('(min-width: 64rem)');
  const Frame = isWide ? Beside : InFront;
  const close = (): void => {
    onClose();
    const { opener } = looked;
    // *Do it again* removes the buttons of earlier calls.
    const back = opener.isConnected ? opener : document.querySelector<HTMLElement>('button.look');
    back?.focus();
  };
  return html`<${Frame} key=${isWide} looked=${looked} onClose=${close} />`;
}

function Beside(props: Props): VNode {
  const { looked, onClose } = props;
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.querySelector('button')?.focus(), [looked.path, looked.opener]);
  const closeOnEscape = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') onClose();
  };
  return html`<aside ref=${place} class="side" aria-label=${looked.at} onKeyDown=${closeOnEscape}>
    <${Content} looked=${looked} onClose=${onClose} />
  </aside>`;
}

function InFront({ looked, onClose }: Props): VNode {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => place.current?.showModal(), []);
  return html`<dialog ref=${place} class="side" aria-label=${looked.at} onClose=${onClose}>
    <${Content} looked=${looked} onClose=${() => place.current?.close()} />
  </dialog>`;
}

type Loaded = TargetedEvent<HTMLIFrameElement>;

/** With an opener, the new tab has the control token of this one. */
function Content({ looked: { at, path, round }, onClose }: Props): VNode {
  // Focus may be in the page, whose keys do not come up here. The page may use Escape for something of its own.
  // There is no document if the server is gone: the browser shows an error page of its own.
  const closeOnEscapeInside = ({ currentTarget: { contentDocument: inside } }: Loaded): void =>
    inside?.defaultView?.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || inside.querySelector('dialog[open]') !== null) return;
      setTimeout(() => void (event.defaultPrevented || onClose()));
    });
  return html`<div class="row">
      <h2>${at}</h2>
      <a href=${path} target="_blank" rel="opener">Open in a new tab</a>
      <button type="button" onClick=${onClose}>Close</button>
    </div>
    <iframe key=${`${round} ${path}`} src=${path} title=${at} onLoad=${closeOnEscapeInside}></iframe>`;
}
