import type { FunctionComponent } from 'preact';

/** What a panel is shown with. It is made anew when the sandbox changes. */
export interface PanelProps {
  /** The id of the sandbox that it is about. */
  readonly sandbox: string;
  /** What the address asks of it. */
  readonly query: URLSearchParams;
}

/** One face of a sandbox. */
export interface Panel {
  /** Its part of the address. */
  readonly name: string;
  readonly title: string;
  readonly component: FunctionComponent<PanelProps>;
}
