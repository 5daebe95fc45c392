import { describe, expect, it } from 'vitest';
import { secondSandbox, verdictOn } from './second-sandbox.ts';

const second = secondSandbox();

/** Answers of which one has no newSelectedOptionIds. */
async function lacksSelection(sent: Request): Promise<boolean> {
  return /\{"questionUniqueId":"[^"]*"\}/.test(await sent.clone().text());
}

describe('a service that treats one mistake differently from all others', () => {
  it('still shows its rules, and the exception is quoted where it belongs', async () => {
    const done = await second.calibrated(
      { requiredFields: 'all', invalidParameters: 'http-400', batchProcessing: 'first-only' },
      {
        change: async (sent, reply) =>
          (await lacksSelection(sent))
            ? Response.json([{ output: { status: 'error', errorMessage: 'newSelectedOptionIds: absent' } }])
            : reply,
      },
    );
    const rules = (['requiredFields', 'invalidParameters', 'batchProcessing'] as const).map(
      (name) => verdictOn(name, done).option,
    );
    expect(rules).toEqual(['all', 'http-400', 'first-only']);
    expect(verdictOn('omittedSelection', done)).toMatchObject({
      option: null,
      why: expect.stringMatching(
        /(?:this one: an answer without newSelectedOptionIds|contradict each other: an answer without newSelectedOptionIds.*; but )/,
      ),
    });
  });
});
