import { expect, it } from 'vitest';
import { defaultLimits } from '../../src/base/server-limits.ts';
import { JournalMemory } from '../../src/sandbox/journal-memory.ts';
import { Journal } from '../../src/sandbox/journal.ts';
import { exchange } from '../support/stored-entry.ts';

it('a listener that comes when all listening has ended is told so', async () => {
  const journal = new Journal({ caps: defaultLimits }, new JournalMemory(1_000_000));
  journal.dismissListeners();
  await new Promise<void>((done) => void journal.listen({ exchange: () => {}, ended: done }));
});

it('a listener that throws is let go, while the call is recorded and the others hear of it', () => {
  const journal = new Journal({ caps: defaultLimits }, new JournalMemory(1_000_000));
  const heard: string[] = [];
  const fail = (what: string): never => {
    heard.push(`fails at ${what}`);
    throw new Error('A listener failed.');
  };
  journal.listen({ exchange: () => fail('exchange'), ended: () => void heard.push('is let go') });
  journal.listen({ exchange: () => {}, emptied: () => fail('emptied'), ended: () => fail('ended') });
  journal.listen({ exchange: ({ number }) => void heard.push(`hears ${number}`) });
  journal.append(exchange);
  journal.append({ ...exchange, number: 2 });
  journal.clear();
  journal.clear();
  journal.end();
  expect(heard).toEqual([
    'fails at exchange',
    'is let go',
    'hears 1',
    'hears 2',
    'fails at emptied',
    'fails at ended',
  ]);
});
