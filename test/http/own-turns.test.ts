import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { OwnTurns } from '../../src/sandbox/own-turns.ts';

it('requests that arrive together begin in turns of their own, in order', async () => {
  const turns = new OwnTurns(() => {});
  const begun: string[] = [];
  turns.take(() => begun.push('a'));
  turns.take(() => begun.push('b'));
  const third = turns.taken().then(() => begun.push('c'));
  expect(begun).toEqual(['a']);
  await nextTurn();
  expect(begun).toEqual(['a', 'b']);
  await third;
  expect(begun).toEqual(['a', 'b', 'c']);
  await nextTurn();
  turns.take(() => begun.push('d'));
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});
