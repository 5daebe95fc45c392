import type { Attempt } from '../attempt.ts';
import type { Breach, Check } from '../check.ts';

/** How often a client may run into a limit before it should know it. */
const maxEpisodes = 2;

export const limits: Check = {
  check: 'limits',
  title: 'Stays within the limits that it knows',
  rule:
    `A client runs into the rate limit of an operation at most ${maxEpisodes} times; then it knows it, and paces itself. Refusals with no call let in between them count once, and ` +
    "injected ones not at all. The limits are those of the sandbox's clock.",
  occasion: 'times that the client ran into a limit',
  exercise: 'lp-sandbox exec --limits 0.1 -- CMD',
  examine: ({ byOperation }) => {
    const episodes = byOperation.map(episodesIn);
    const breaches = episodes.flatMap((own): readonly Breach[] => {
      const [first, ...more] = own;
      if (first === undefined || own.length <= maxEpisodes) return [];
      return [{ message: `It ran into the limit ${own.length} times.`, calls: [first, ...more] }];
    });
    return { occasions: episodes.flat().length, breaches };
  },
};

/** The first refusal of each time that the client ran into the limit. */
function episodesIn(own: readonly Attempt[]): readonly Attempt[] {
  return own.filter((attempt, index) => isOverLimit(attempt) && !isOverLimit(own[index - 1]));
}

function isOverLimit(attempt: Attempt | undefined): boolean {
  return attempt?.entry.outcome === 'throttled';
}
