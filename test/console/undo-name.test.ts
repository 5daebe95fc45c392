import { expect, it } from 'vitest';
import { isLeftBehind, isUndoName, newUndoName } from '../../src/console/undo-name.ts';

const now = Date.parse('2026-02-11T09:30:00Z');
const hour = 3_600_000;

it('each page of the console has a name of its own for its snapshot, which a sandbox accepts', () => {
  const names = Array.from({ length: 50 }, () => newUndoName(now));
  expect(new Set(names).size).toBe(50);
  for (const name of names) expect(name).toMatch(/^[a-z0-9-]{1,64}$/);
  expect(names.every(isUndoName)).toBe(true);
  expect(isUndoName('before-lunch')).toBe(false);
});

it('a snapshot is left behind if it is older than half a day, and only if the console took it', () => {
  const name = newUndoName(now);
  expect(isLeftBehind(name, now + 11 * hour)).toBe(false);
  expect(isLeftBehind(name, now + 13 * hour)).toBe(true);
  expect(isLeftBehind('before-lunch', now + 13 * hour)).toBe(false);
});
