import type { VNode } from 'preact';
import { html } from '../html.ts';
import { Loading, ProblemNotice } from '../parts/notice.ts';
import { useLoad } from '../parts/use-load.ts';

interface LoadedProps<T> {
  readonly load: () => Promise<T>;
  /** Loads again when they change. */
  readonly keys: readonly unknown[];
  readonly show: (value: T) => VNode;
}

/** Shows what it loads; until then, that it loads or why it cannot. */
export function Loaded<T>({ load, keys, show }: LoadedProps<T>): VNode {
  const { value, problem } = useLoad(load, keys);
  return html`<${ProblemNotice} problem=${problem} />
    ${value === null ? problem === null && html`<${Loading} />` : show(value)}`;
}
