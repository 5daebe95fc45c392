import type { OptionOf, Options } from '../assumptions.ts';

/** What becomes of an identifier that names no record of the school; noted as what shaped the reply. */
export function onUnknownId(assume: (name: 'unknownId') => OptionOf<'unknownId'>): OptionOf<'unknownId'> {
  return assume('unknownId');
}

/** Whether records are made up for such identifiers; nothing of a reply is shaped by asking. */
export function makesUpRecords({ unknownId }: Pick<Options, 'unknownId'>): boolean {
  return unknownId === 'synthesise';
}
