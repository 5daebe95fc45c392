import { expect, it } from 'vitest';
import { isAddress, markKind } from '../../src/upstream/calibrate/member-kinds.ts';
import { textForm } from '../../src/upstream/calibrate/text-form.ts';

it.each(['a', '7', 'a1', 'A_', '/', '@', ' '])(
  'A text of millions of %j has no form, and breaks no regular expression',
  (part) => {
    const text = part.repeat(9_000_000 / part.length);
    expect([textForm(text), markKind(text), isAddress(text)]).toEqual(['text', null, false]);
  },
);
