import type { Attempt } from '../attempt.ts';
import type { Breach, Check } from '../check.ts';

/** How often a client may hit a limit before it should adapt. */
const maxEpisodes = 2;

export const limits: Check = {
  check: 'limits',
  title: 'Stays within known rate limits',
  rule:
    `A client may hit the rate limit of an operation ${maxEpisodes} times; after that, it must pace its calls. Consecutive refusals count once, and ` +
    "injected refusals do not count. The limits use the sandbox's clock.",
  occasion: 'times that the client hit a rate limit',
  exercise: 'lp-sandbox exec --limits 0.1 -- CMD',
  examine: ({ byOperation }) => {
    const episodes = byOperation.map(episodesIn);
    const breaches = episodes.flatMap((own): readonly Breach[] => {
      const [first, ...more] = own;
      if (first === undefined || own.length <= maxEpisodes) return [];
      return [{ message: `The client hit the rate limit ${own.length} times.`, calls: [first, ...more] }];
    });
    return { occasions: episodes.flat().length, breaches };
  },
};

/** Returns the first of each run of consecutive refusals. */
function episodesIn(own: readonly Attempt[]): readonly Attempt[] {
  return own.filter((attempt, index) => isOverLimit(attempt) && !isOverLimit(own[index - 1]));
}

function isOverLimit(attempt: Attempt | undefined): boolean {
  return attempt?.entry.outcome === 'throttled';
}
