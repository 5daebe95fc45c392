import { joined } from '../../base/wire-text.ts';
import { defineFault } from '../fault.ts';
import { nothingOf } from '../reply-parts.ts';

/** Bytes that are neither HTTP nor text in any encoding. */
const noise = joined(
  '\u0000\u0015\u0003\u00ff\u00fe\u0001 %%% \u0080\u0007no http here\u0000\u00c3\u0028\n\u001b[2J\u00f8\r\n\r\n\u0000',
);

export const garbage = defineFault({
  name: 'garbage',
  summary: 'The server sends bytes that are not HTTP, then closes the connection.',
  parameters: {},
  phase: 'before',
  act: () => ({
    kind: 'replace',
    change: (reply) => ({ ...nothingOf(reply), body: noise, delivery: { kind: 'raw' } }),
  }),
});
