import type { Client, Context } from '../kit/api.ts';
import { pooled, workDay } from '../kit/day.ts';
import { cappedMs, linearMs, slowlyGrowingMs } from '../kit/pauses.ts';
import { goodPolicy, retrying } from '../kit/retry.ts';
import { fetchSend } from '../kit/send-fetch.ts';
import type { Exemplary } from '../spec.ts';

/** Ten workers that retry after anything up to a pause. */
function spread(pause: (failures: number) => number, tries: number): Client {
  return async (context: Context) => {
    const fullJitter = (failures: number): number => context.random() * pause(failures);
    await workDay(
      context,
      retrying(fetchSend(context), context, { ...goodPolicy(fullJitter), tries }),
      pooled(10),
    );
  };
}

/** The pauses of the herds in `bad/herds.ts`, but drawn at random. */
export const spreadPauses: readonly Exemplary[] = [
  {
    name: 'capped-pauses-with-full-jitter',
    is: 'Ten workers that retry after up to 1, 2, 4, 8, 16, 30 and 30 s.',
    random: 'some pauses',
    run: spread(cappedMs, 8),
  },
  {
    name: 'linear-pauses-with-full-jitter',
    is: 'Ten workers that retry after up to 0.7 s, 1.4 s and so on.',
    random: 'some pauses',
    run: spread(linearMs, 8),
  },
  {
    name: 'slowly-growing-pauses-with-full-jitter',
    is: 'Ten workers that retry after up to 0.9 s; the maximum grows by half each time.',
    random: 'some pauses',
    run: spread(slowlyGrowingMs, 8),
  },
];
