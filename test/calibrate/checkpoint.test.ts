import { expect, it } from 'vitest';
import { checkpointText, readCheckpoint } from '../../src/upstream/calibrate/checkpoint.ts';
import { Departures } from '../../src/upstream/calibrate/departures.ts';
import { outputsOf } from '../../src/upstream/calibrate/reply.ts';
import { shown } from '../../src/upstream/calibrate/shown-text.ts';
import { maskFor } from '../../src/upstream/key-mask/key-mask.ts';

it('a checkpoint that is cut off is named as such', () => {
  expect(() => readCheckpoint('{"version":', 'https://a.example', 'a.checkpoint')).toThrow(
    'a.checkpoint is not valid JSON. It holds what calibrate has found so far, and is cut off or changed. Run calibrate without --resume.',
  );
});

const headers = { header: () => null, headerNames: [], hasMark: false };

it('members beside output are noted', () => {
  const departures = new Departures();
  const text = '[{"output":{"status":"ok","data":{}},"tookMs":3}]';
  const outputs = outputsOf(text);
  departures.note({ operation: 'get-quiz-details' }, { ...headers, status: 200, text, outputs });
  const seen = departures.all().find(({ what }) => what === 'members beside output')?.seen ?? '';
  expect(shown(seen, (one) => one)).toBe('tookMs (number)');
});

it('a checkpoint has no part of a key that a refusal has as the name of a member', () => {
  const departures = new Departures();
  const text = '{"message":"No","7KmzPq3RtYv8XwNc5BdHj2":1}';
  departures.note({ operation: 'get-quiz-details' }, { ...headers, status: 400, text, outputs: null });
  const found = { finished: new Map(), school: {}, calls: 1, recent: [], beyond: [] };
  const progress = { ...found, sights: departures.all() };
  const stored = checkpointText('https://a.example', progress, maskFor(['7KmzPq3RtYv8XwNc5BdHj2']));
  expect(stored).toContain('members of a refusal');
  expect(stored).not.toContain('7KmzPq3');
});
