import type { SlicedWork } from '../base/sliced-work.ts';
import { TextFinder } from '../base/text-finder.ts';
import type { ViolationList } from '../contract/violation-list.ts';

/** Returns what finds the text of a query in records; null if the query has none. */
export function textIn(list: ViolationList, { text }: Readonly<Record<string, unknown>>): TextFinder | null {
  if (text !== undefined && typeof text !== 'string') list.add('/text', () => 'must occur once.');
  return typeof text === 'string' && text !== '' ? new TextFinder(text.toLowerCase()) : null;
}

/** A record can have a million values. */
const valuesPerStep = 1000;

/** To change the case of a longer text, and to search in it, is a turn each. */
const longLength = 100_000;

/** Whether a value of the record has the text as a person sees it: without names of fields and escapes. */
export function* hasText(record: object, text: TextFinder): SlicedWork<boolean> {
  const left: unknown[] = [record];
  for (let seen = 1; left.length > 0; seen += 1) {
    const value = left.pop();
    if (typeof value === 'object') for (const inner of Object.values(value ?? {})) left.push(inner);
    else if (value !== undefined) {
      const shown = (typeof value === 'string' ? value : JSON.stringify(value)).toLowerCase();
      if (shown.length > longLength) yield;
      if (text.isIn(shown)) return true;
    }
    if (seen % valuesPerStep === 0) yield;
  }
  return false;
}
