import { readDocument } from '../../src/contract/document.ts';

/** The contract, read once for all tests of a thread. */
export const contract = readDocument('learning-platform');
