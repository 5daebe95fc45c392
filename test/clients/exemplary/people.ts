import { setTimeout as sleep } from 'node:timers/promises';
import { CallError, isWorthRetrying, type Client, type Context } from '../kit/api.ts';
import { Day } from '../kit/day.ts';
import * as ids from '../kit/ids.ts';
import { equalJitter, goodPolicy, retrying } from '../kit/retry.ts';
import { fetchSend, type FetchOptions } from '../kit/send-fetch.ts';
import type { Exemplary } from '../spec.ts';

/** How long a person takes to read a message and to press a button: about 3 s, but sometimes 1 s, and sometimes 9 s. */
function reaction({ random }: Context): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.exp(Math.log(3000) + 0.5 * normal);
}

function isOver(error: unknown): boolean {
  return error instanceof CallError && error.reason === 'refused';
}

/** Makes each request one of a session. */
function session(name: string): FetchOptions {
  return {
    change: (request) => ({ ...request, headers: { ...request.headers, 'Sandbox-Scope': name } }),
  };
}

/** Submits answers. If a response is lost, the person decides whether to submit again. */
function asksBeforeSubmitting(options: FetchOptions = {}): Client {
  return async (context) => {
    const send = retrying(fetchSend(context, options), context, goodPolicy(equalJitter(context.random)));
    for (const answer of ids.submissions)
      for (let tries = 0; tries < 4; tries += 1) {
        try {
          await send('submit-user-course-item', [answer]);
          break;
        } catch (error) {
          if (isOver(error)) return;
          await sleep(reaction(context));
        }
      }
  };
}

/** A page of nine reads. The person presses "Try again", which sends the failed ones again, all at once. */
function triesPageAgain(options: FetchOptions = {}): Client {
  return async (context) => {
    const send = fetchSend(context, options);
    for (let page = 0; page < 3; page += 1) {
      let open: readonly (string | undefined)[] = ids.manyItems.slice(0, 9);
      for (let tries = 0; tries < 10 && open.length > 0; tries += 1) {
        let waitMs = 0;
        const loaded = await Promise.allSettled(
          open.map((courseItemId) => send('get-course-item-data', [{ courseItemId }])),
        );
        const errors = loaded.flatMap((one): readonly unknown[] =>
          one.status === 'rejected' ? [one.reason] : [],
        );
        if (errors.some(isOver)) return;
        for (const error of errors)
          if (error instanceof CallError) waitMs = Math.max(waitMs, error.retryAfter ?? 0);
        open = open.filter((_, index) => loaded[index]?.status === 'rejected');
        if (open.length > 0) await sleep(waitMs + reaction(context));
      }
    }
  };
}

/** An end-to-end test that shows three pages in turn, each for 800 ms; leaving a page cancels its reads. */
const showsPages: Client = async (context) => {
  const send = retrying(fetchSend(context), context, goodPolicy(equalJitter(context.random)));
  const day = new Day(context);
  for (let visit = 0; visit < 24 && !day.isOver; visit += 1) {
    const left = new AbortController();
    const { signal } = left;
    const reads = [
      ['get-course-item-data', { courseItemId: ids.items[visit % 3] }],
      ['get-quiz-details', { quizId: ids.quizzes[visit % 3] }],
    ] as const;
    const loading = reads.map(([operation, element]) =>
      day.attempt(async () => {
        await send(operation, [element], signal).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
      }),
    );
    await sleep(800);
    left.abort();
    await Promise.all(loading);
  }
};

/** Waits one second for each response. */
const oneSecond: Client = async (context) => {
  const send = retrying(
    fetchSend(context, { timeoutMs: 1000 }),
    context,
    goodPolicy(equalJitter(context.random)),
  );
  const day = new Day(context);
  for (let round = 0; round < 2; round += 1)
    for (const courseItemId of ids.manyItems)
      await day.attempt(() => send('get-course-item-data', [{ courseItemId }]));
};

/** Asks for records that do not exist yet, with growing pauses, and gives up after five times. */
const readsAfterCreation: Client = async (context) => {
  const send = retrying(
    fetchSend(context, session('new lessons')),
    context,
    goodPolicy(equalJitter(context.random)),
  );
  const day = new Day(context);
  for (const courseItemId of [
    '000000000000000000000101',
    ids.items[0],
    '000000000000000000000102',
    ids.items[1],
  ])
    for (let tries = 0; tries < 5 && !day.isOver; tries += 1) {
      let isFound = false;
      await day.attempt(async () => {
        const [output] = await send('get-course-item-data', [{ courseItemId }]);
        isFound = output?.status === 'ok';
      });
      if (isFound) break;
      if (tries < 4) await sleep((0.75 + context.random() / 2) * 500 * 2 ** tries);
    }
};

/** Waits until the service is ready, for two minutes at most, and then reads. */
function waitsUntilReady(pauseMs: number, jitter: number): Client {
  return async (context) => {
    const send = fetchSend(context, session('starts'));
    const end = Date.now() + 120_000;
    while (Date.now() < end) {
      try {
        await send('get-instructor-permission-presets', [{ pageNumber: 1, limit: 1 }]);
        break;
      } catch (error) {
        if (isOver(error)) return;
        // What else is thrown has none.
        const { retryAfter = null } = error as Partial<CallError>;
        await sleep(Math.max(retryAfter ?? 0, pauseMs * (1 + jitter * (context.random() - 0.5))));
      }
    }
    const day = new Day(context);
    const works = retrying(
      fetchSend(context, session('starts')),
      context,
      goodPolicy(equalJitter(context.random)),
    );
    for (const courseItemId of ids.items)
      await day.attempt(() => works('get-course-item-data', [{ courseItemId }]));
  };
}

/** A page that reads its data when the user comes back to its window; each read has at most four tries. */
const refetchesOnFocus: Client = async (context) => {
  const send = fetchSend(context, session('a window'));
  const queries = [
    ['get-course-item-data', ids.items.slice(0, 3).map((courseItemId) => ({ courseItemId }))],
    ['get-quiz-details', ids.quizzes.slice(0, 2).map((quizId) => ({ quizId }))],
    ['list-assignments', [ids.assignmentsOf(ids.products[0])]],
  ] as const;
  const busy = new Set<string>();
  const freeAt = new Map<string, number>();
  const state = { isRefused: false };
  const load = async ([operation, elements]: (typeof queries)[number]): Promise<void> => {
    if (state.isRefused || busy.has(operation) || (freeAt.get(operation) ?? 0) > Date.now()) return;
    busy.add(operation);
    for (let tries = 0; tries < 4 && !state.isRefused; tries += 1) {
      try {
        await send(operation, elements);
        break;
      } catch (error) {
        state.isRefused = isOver(error);
        if (!isWorthRetrying(operation, error)) break;
        if (error.retryAfter !== null) freeAt.set(operation, Date.now() + error.retryAfter + 20);
        if (tries < 3)
          await sleep((error.retryAfter ?? 0) + 30 + 1000 * 2 ** tries * (0.8 + context.random() * 0.4));
      }
    }
    busy.delete(operation);
  };
  const loading: Promise<void>[] = [];
  for (const end = Date.now() + 60_000; Date.now() < end && !state.isRefused;) {
    loading.push(...queries.map(load));
    await sleep(800 + context.random() * 5200);
  }
  await Promise.all(loading);
};

const searched = [
  'cells',
  'osmosis',
  'motion',
  'algebra',
  'photosynthesis',
  'history',
  'grammar',
  'genetics',
];

/** A search box: each time the user pauses, it sends a new search, also while it is throttled. It never sends one again. */
const searchesAsTyped: Client = async (context) => {
  const send = fetchSend(context, session('a search box'));
  const day = new Day(context);
  for (const word of searched)
    for (let length = 2; length <= word.length && !day.isOver; length += 2) {
      await day.attempt(() =>
        send('get-video-library', [{ filterTerm: word.slice(0, length), pageNumber: 1 }]),
      );
      await sleep(1050 + context.random() * 900);
    }
};

export const people: readonly Exemplary[] = [
  {
    name: 'search-box',
    is: 'Sends a new search each time its user pauses, up to 57 a minute, and never sends one again.',
    also: [{ name: 'a tenth of the limits', limits: 0.1 }],
    run: searchesAsTyped,
  },
  {
    name: 'asks-before-submitting-again',
    is: 'Asks the person whether to submit again if a response was lost; the answer comes after about 3 s.',
    random: 'some pauses',
    run: asksBeforeSubmitting(),
  },
  {
    name: 'asks-before-submitting-again-in-a-session',
    is: 'The same, as one scope.',
    random: 'some pauses',
    run: asksBeforeSubmitting(session('a learner')),
  },
  {
    name: 'try-again-button',
    is: 'A page of nine reads with one button "Try again", which a person presses after about 3 s.',
    random: 'some pauses',
    run: triesPageAgain(),
  },
  {
    name: 'try-again-button-in-a-session',
    is: 'The same, as one scope.',
    random: 'some pauses',
    run: triesPageAgain(session('a reader')),
  },
  {
    name: 'pages-in-turn',
    is: 'An end-to-end test that shows three pages in turn, each for 800 ms; leaving a page cancels its reads.',
    run: showsPages,
  },
  {
    name: 'timeout-of-one-second',
    is: 'Waits one second for each response.',
    random: 'some pauses',
    run: oneSecond,
  },
  {
    name: 'reads-after-creation',
    is: 'Asks for new records up to five times, with growing pauses, in one scope.',
    run: readsAfterCreation,
  },
  {
    name: 'waits-until-ready',
    is: 'Asks every 2 s whether the service is ready, in one scope, before it starts.',
    run: waitsUntilReady(2000, 0),
  },
  {
    name: 'waits-until-ready-with-jitter',
    is: 'The same about every 2.2 s.',
    run: waitsUntilReady(2200, 0.3),
  },
  {
    name: 'refetches-on-focus',
    is: 'Reads its data when the user comes back to its window, with at most four tries each, in one scope.',
    random: 'some pauses',
    run: refetchesOnFocus,
  },
];
