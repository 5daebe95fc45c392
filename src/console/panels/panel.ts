import type { FunctionComponent } from 'preact';

/** Props of a panel. It is remounted when the sandbox changes. */
export interface PanelProps {
  /** Sandbox id. */
  readonly sandbox: string;
  /** The query of the address. */
  readonly query: URLSearchParams;
  /** Changes when something was undone. A panel that stays as it is then loads its data again. */
  readonly undone: number;
}

/** One page of the console. */
export interface Panel {
  /** The panel's segment in the address. */
  readonly name: string;
  readonly title: string;
  /** Whether a proxy has it, too. The data, faults, clock and limits of a sandbox have no effect on forwarded calls. */
  readonly isOfProxy: boolean;
  /** Whether it stays as it is when something is undone, because it would lose what a person has loaded or searched. */
  readonly staysOnUndo?: boolean;
  readonly component: FunctionComponent<PanelProps>;
}
