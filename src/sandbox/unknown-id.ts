import type { OptionOf, Options } from '../assumptions.ts';

/**
 * Returns how to treat an identifier without a record in the school, and notes that the assumption affected
 * the reply.
 */
export function onUnknownId(assume: (name: 'unknownId') => OptionOf<'unknownId'>): OptionOf<'unknownId'> {
  return assume('unknownId');
}

/** Returns whether records are synthesized for unknown identifiers, without noting the assumption. */
export function makesUpRecords({ unknownId }: Pick<Options, 'unknownId'>): boolean {
  return unknownId === 'synthesise';
}
