import { expect, it } from 'vitest';
import { momentIn } from '../../src/console/parts/moment.ts';
import { plainWords } from '../../src/console/parts/plain-words.ts';
import { askControl } from '../support/control.ts';
import { sharedServer } from '../support/world.ts';

it.each([
  ['', '', ''],
  ['2026-02-11', '', '2026-02-11T00:00:00Z'],
  ['2026-02-11', '09:30', '2026-02-11T09:30:00Z'],
  ['2026-02-11', '09:30:07', '2026-02-11T09:30:07Z'],
])('the date %j and the time %j are the time %j', (date, time, moment) => {
  const form = new FormData();
  form.set('now.date', date);
  form.set('now.time', time);
  expect(momentIn(form, 'now', '/now')).toBe(moment);
});

it('a time without a date is a mistake, which is shown at its field', () => {
  const form = new FormData();
  form.set('now.time', '09:30');
  const violations = [{ pointer: '/now', message: 'The time needs a date. Choose one, or clear the time.' }];
  expect(() => momentIn(form, 'now', '/now')).toThrow(expect.objectContaining({ violations }));
});

it.each([
  ['POST', '/control/sandboxes', { id: 'Not Plain' }],
  ['PUT', '/control/sandboxes/default/snapshots/Not%20Plain', undefined],
] as const)(
  'the console says in plain words what is wrong with a name: %s %s',
  async (method, path, body) => {
    const { url } = await sharedServer();
    const { body: problem } = await askControl(url, method, path, body);
    const { violations } = problem as { violations: readonly { message: string }[] };
    expect(violations.map(({ message }) => plainWords(message))).toEqual([
      'Use a–z, 0–9 and hyphens, at most 64 characters.',
    ]);
  },
);
