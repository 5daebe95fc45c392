import type { FunctionComponent } from 'preact';

/** Props of a panel. It is remounted when the sandbox changes. */
export interface PanelProps {
  /** Sandbox id. */
  readonly sandbox: string;
  /** The query of the address. */
  readonly query: URLSearchParams;
}

/** One page of the console. */
export interface Panel {
  /** The panel's segment in the address. */
  readonly name: string;
  readonly title: string;
  readonly component: FunctionComponent<PanelProps>;
}
