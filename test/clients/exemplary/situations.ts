import { setTimeout as sleep } from 'node:timers/promises';
import { CallError, type Client, type Context, type Outputs, type Send } from '../kit/api.ts';
import { Day, pooled, serially, workDay } from '../kit/day.ts';
import { retryingElements } from '../kit/elements.ts';
import * as ids from '../kit/ids.ts';
import { equalJitter, goodPolicy, retrying } from '../kit/retry.ts';
import { fetchSend, type Request } from '../kit/send-fetch.ts';
import type { Condition, Exemplary } from '../spec.ts';

const good = (context: Context): Send =>
  retrying(fetchSend(context), context, goodPolicy(equalJitter(context.random)));

/** Asks for a recording that is not ready, every few seconds, and leaves it for tomorrow in the end. */
const pollsForMp4: Client = async (context) => {
  const send = good(context);
  const day = new Day(context);
  const open = [ids.recorded, ids.running, ids.unprocessed];
  await day.attempt(() => send('get-all-live-events', [{}]));
  await pooled(3)(
    open.map((session) => async () => {
      for (let round = 0; round < 7 && !day.isOver; round += 1) {
        let outputs: Outputs = [];
        await day.attempt(
          async () => (outputs = await send('get-live-event-session-processed-mp4', [session])),
        );
        if (outputs[0]?.status === 'ok') return;
        await sleep(3000 + context.random() * 1000);
      }
    }),
  );
};

/** Each keystroke supersedes the search before it. */
const searchesWhileTyping: Client = async (context) => {
  const send = good(context);
  const day = new Day(context);
  for (const term of ['python', 'variables', 'week', 'welcome']) {
    let current = new AbortController();
    let last: Promise<void> = Promise.resolve();
    for (let length = 2; length <= term.length; length += 1) {
      current.abort();
      current = new AbortController();
      const { signal } = current;
      const search = { filterTerm: term.slice(0, length), pageNumber: 1, folderPath: '/' };
      last = day.attempt(async () => {
        await send('get-video-library', [search], signal).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
      });
      await sleep(60 + context.random() * 120);
    }
    await last;
    await sleep(500);
  }
};

/** Sends a read a second time if the first is slow, and takes the first reply. */
export function hedged(send: Send, afterMs: number): Send {
  return async (operation, elements) => {
    const [first, second] = [new AbortController(), new AbortController()];
    const done = new AbortController();
    const late = sleep(afterMs, undefined, { signal: done.signal }).then(() =>
      send(operation, elements, second.signal),
    );
    try {
      const early = send(operation, elements, first.signal);
      // A failure before the second was sent is a failure of the call: no need to wait.
      return await Promise.race([early, Promise.any([early, late])]);
    } finally {
      done.abort();
      late.catch(() => undefined);
      first.abort();
      second.abort();
    }
  };
}

const hedgesReads: Client = async (context) => {
  const plain = fetchSend(context);
  const hedging = hedged(plain, 1500);
  const either: Send = (operation, elements, signal) =>
    operation.startsWith('get-') ? hedging(operation, elements) : plain(operation, elements, signal);
  const send = retrying(either, context, goodPolicy(equalJitter(context.random)));
  await workDay(context, send, serially);
};

/** Learns from the list of instructors whether a lost creation succeeded, and only creates those that are missing. */
const createsThenChecks: Client = async (context) => {
  const careful = retrying(fetchSend(context), context, {
    ...goodPolicy(equalJitter(context.random)),
    retries: (operation, error) =>
      error instanceof CallError &&
      error.reason !== 'refused' &&
      (error.reason !== 'unknown' || operation.startsWith('get-')),
  });
  const day = new Day(context);
  const emails = async (): Promise<string> => JSON.stringify(await careful('get-all-instructors', [{}]));
  for (const name of ['eva', 'fin', 'gus', 'hana', 'ira', 'jon', 'kim', 'lea']) {
    const wanted = ids.instructor(name);
    await day.attempt(async () => {
      for (let round = 0; round < 3; round += 1) {
        try {
          return await careful('create-instructor-account', [wanted]);
        } catch (error) {
          if (!(error instanceof CallError) || error.reason !== 'unknown') throw error;
          await sleep((1 + context.random()) * 1000 * (round + 1));
          if ((await emails()).includes(wanted.instructorEmail)) return undefined;
        }
      }
      return undefined;
    });
  }
  await day.attempt(emails);
};

/** Refreshes the same items every few seconds; one of them has been deleted. */
const refreshesPeriodically: Client = async (context) => {
  const send = good(context);
  const day = new Day(context);
  const shown = [...ids.items.slice(0, 4), '000000000000000000000000'].map((courseItemId) => ({
    courseItemId,
  }));
  for (let round = 0; round < 7; round += 1) {
    await day.attempt(() => send('get-course-item-data', shown));
    await day.attempt(() => send('list-assignments', [ids.assignmentsOf(ids.products[0])]));
    await day.attempt(() =>
      send(
        'get-quiz-details',
        ids.quizzes.slice(0, 3).map((quizId) => ({ quizId })),
      ),
    );
    await sleep(2000 + context.random() * 500);
  }
};

/** A retry of an update takes the newest value: one that came in meanwhile replaces the older. */
const replacesOldValues: Client = async (context) => {
  const day = new Day(context);
  const send = fetchSend(context);
  let newest = 10;
  const typing = (async () => {
    for (; newest < 22; newest += 1) await sleep(400);
  })();
  const state = { stored: 0, failures: 0 };
  const pause = equalJitter(context.random);
  while (state.stored < 22 && state.failures < 8 && !day.isOver) {
    if (state.stored === newest) await sleep(100);
    else
      await day.attempt(async () => {
        const value = newest;
        try {
          await send('update-digital-product-coupon', [ids.coupon(value)]);
          Object.assign(state, { stored: value, failures: 0 });
        } catch (error) {
          state.failures += 1;
          // What else is thrown has none.
          const { retryAfter = null } = error as Partial<CallError>;
          await sleep((retryAfter ?? 0) + pause(state.failures, 0));
          throw error;
        }
      });
  }
  await typing;
  await day.attempt(() => good(context)('get-all-instructors', [{}]));
};

/** Reads one thing a second. */
const readsSteadily: Client = async (context) => {
  const send = good(context);
  const day = new Day(context);
  const batch = retryingElements(send, context);
  for (const name of ['get-quiz-details', 'get-course-item-data'])
    for (let index = 0; index < 12; index += 1) {
      const [quizId, courseItemId] = [ids.quizzes[index % 7], ids.items[index % 10]];
      await day.attempt(() => batch(name, [name === 'get-quiz-details' ? { quizId } : { courseItemId }]));
      await sleep(1000);
    }
};

/** Makes each request one of a test. */
function inScope(name: string): (request: Request) => Request {
  return (request) => ({ ...request, headers: { ...request.headers, 'Sandbox-Scope': name } });
}

/** A test suite: two tests use the same fixture, two expect the same failure. Each test is a scope. */
const testSuite: Client = async (context) => {
  for (const [index, test] of [
    'submits',
    'is unknown',
    'submits again',
    'is unknown, too',
    'reads',
  ].entries()) {
    const day = new Day(context);
    const send = retrying(
      fetchSend(context, { change: inScope(test) }),
      context,
      goodPolicy(equalJitter(context.random)),
    );
    const unknown = { quizId: '000000000000000000000000' };
    await day.attempt(() =>
      send('get-quiz-details', [index % 2 === 0 ? { quizId: ids.quizzes[0] } : unknown]),
    );
    await day.attempt(() => send('get-course-item-data', [{ courseItemId: ids.items[0] }]));
    if (index % 2 === 0)
      await day.attempt(() => send('submit-user-course-item', [ids.submission(ids.learners[0])]));
    await day.attempt(() => send('create-instructor-account', [ids.instructor('fixture')]));
    if (day.isOver) return;
  }
};

/** Six workers of one test, whose jobs read the same few records; each waits only for the response to its own call. */
const sharesRecords: Client = async (context) => {
  const day = new Day(context);
  const policy = { ...goodPolicy(equalJitter(context.random)), sharesRetryAfter: false };
  const send = retrying(fetchSend(context, { change: inScope('six workers') }), context, policy);
  const jobs = Array.from({ length: 30 }, (_, index) => ({ courseItemId: ids.items[index % 6] }));
  await pooled(6)(jobs.map((item) => () => day.attempt(() => send('get-course-item-data', [item]))));
};

/** Reads the same six records in each round, with at most 3 tries each, as one program. */
const worksInRounds: Client = async (context) => {
  const day = new Day(context);
  const policy = { ...goodPolicy(equalJitter(context.random)), tries: 3 };
  const send = retrying(fetchSend(context, { change: inScope('rounds') }), context, policy);
  const end = Date.now() + 60_000;
  while (Date.now() < end && !day.isOver) {
    for (const courseItemId of ids.items.slice(0, 6))
      await day.attempt(() => send('get-course-item-data', [{ courseItemId }]));
    await sleep(3000);
  }
};

/** Opens one page after another, of three reads each, and cancels those that are still open when the user leaves. */
const leavesPages: Client = async (context) => {
  const day = new Day(context);
  const send = good(context);
  for (let page = 0; page < 20 && !day.isOver; page += 1) {
    const left = new AbortController();
    const { signal } = left;
    const reads = [
      ['get-course-item-data', { courseItemId: ids.items[page % 8] }],
      ['get-quiz-details', { quizId: ids.quizzes[page % 5] }],
      ['get-video-library', { filterTerm: `week ${page % 6}`, pageNumber: 1, folderPath: '/' }],
    ] as const;
    const loading = reads.map(([operation, element]) =>
      day.attempt(async () => {
        await send(operation, [element], signal).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
      }),
    );
    await sleep(300 + context.random() * 1200);
    left.abort();
    await Promise.all(loading);
  }
};

/** A test that calls a failing record in a loop, until its circuit breaker opens after 10 failures. */
const testsBreaker: Client = async (context) => {
  const send = fetchSend(context, { change: inScope('the breaker opens') });
  for (let failures = 0; failures < 10; failures += 1) {
    try {
      await send('get-quiz-details', [{ quizId: ids.quizzes[0] }]);
      return;
    } catch (error) {
      if (!(error instanceof CallError) || error.status < 500 || error.retryAfter !== null) return;
    }
  }
};

/** Its rule fails every call. */
const down: Condition = {
  name: 'all calls fail',
  rules: [{ fault: 'http-error', with: { status: 500 } }],
};

/** Learners who select an answer, clear it, and select it again, in one test. */
const changesAnswers: Client = async (context) => {
  const day = new Day(context);
  const send = retrying(
    fetchSend(context, { change: inScope('answers change') }),
    context,
    goodPolicy(equalJitter(context.random)),
  );
  for (const learner of ids.learners.slice(0, 3))
    for (const answer of [ids.submission(learner), ids.submissionOf(learner, []), ids.submission(learner)])
      await day.attempt(() => send('submit-user-course-item', [answer]));
};

/** One read after another; what failed goes to the end of the queue, for longer after each failure. */
const queuesFailures: Client = async (context) => {
  const send = fetchSend(context);
  const day = new Day(context);
  const pause = equalJitter(context.random);
  const queue = ids.manyItems.slice(0, 12).map((courseItemId) => ({ courseItemId, failures: 0, due: 0 }));
  for (let task = queue.shift(); task !== undefined && !day.isOver; task = queue.shift()) {
    const { courseItemId, failures } = task;
    await sleep(Math.max(0, task.due - Date.now()));
    await day.attempt(async () => {
      try {
        await send('get-course-item-data', [{ courseItemId }]);
      } catch (error) {
        if (!(error instanceof CallError) || error.reason === 'refused') throw error;
        const wait = pause(failures + 1, 0);
        const due = Date.now() + (error.retryAfter ?? 0) + wait;
        if (failures < 5) queue.push({ courseItemId, failures: failures + 1, due });
        // All calls of the operation wait, also if this one is given up.
        if (error.retryAfter !== null) await sleep(error.retryAfter);
        if (failures === 5) throw error;
      }
    });
    await sleep(200);
  }
};

/** A page that reads the same batch every 300 ms while it is open. */
const refreshesQuickly: Client = async (context) => {
  const send = good(context);
  const day = new Day(context);
  const shown = ids.items.slice(0, 3).map((courseItemId) => ({ courseItemId }));
  for (let round = 0; round < 15; round += 1) {
    await day.attempt(() => send('get-course-item-data', shown));
    await sleep(300);
  }
};

export const situations: readonly Exemplary[] = [
  {
    name: 'workers-on-the-same-records',
    is: 'Six workers of one test, whose jobs read the same few records; each waits only for its own Retry-After.',
    random: 'some pauses',
    run: sharesRecords,
  },
  {
    name: 'rounds',
    is: 'Reads the same six records in each round, with at most 3 tries each, and a pause of 3 s in between.',
    random: 'some pauses',
    run: worksInRounds,
  },
  {
    name: 'left-pages',
    is: 'A page of three reads, which the user leaves after about a second; it cancels the open ones.',
    random: 'some pauses',
    run: leavesPages,
  },
  {
    name: 'breaker-test',
    is: 'A test that requests a failing record in a loop until its circuit breaker opens.',
    also: [down],
    run: testsBreaker,
  },
  {
    name: 'changed-answers',
    is: 'Learners select an answer, clear it, and select it again, in one test.',
    run: changesAnswers,
  },
  {
    name: 'queue',
    is: 'Reads one record after another; failed reads go to the end of the queue, with a longer delay after each failure.',
    random: 'some pauses',
    run: queuesFailures,
  },
  { name: 'quick-refresh', is: 'Reads the same batch every 300 ms.', run: refreshesQuickly },
  {
    name: 'polls-for-mp4',
    is: 'Polls every few seconds for recordings that are not ready.',
    run: pollsForMp4,
  },
  {
    name: 'search-as-you-type',
    is: 'Searches at each keystroke, and aborts the previous search with an AbortController.',
    random: 'some pauses',
    run: searchesWhileTyping,
  },
  {
    name: 'hedged-reads',
    is: 'Sends a read once more if there is no response after 1.5 s, and uses the first response.',
    random: 'some pauses',
    run: hedgesReads,
  },
  {
    name: 'create-then-check',
    is: 'Reads get-all-instructors to learn whether a lost creation succeeded.',
    random: 'some pauses',
    run: createsThenChecks,
  },
  {
    name: 'periodic-refresh',
    is: 'Reads the same batch every few seconds; one of its items has been deleted.',
    run: refreshesPeriodically,
  },
  {
    name: 'newer-value',
    is: 'Sends a newer value of a coupon instead of repeating the failed update.',
    random: 'some pauses',
    run: replacesOldValues,
  },
  { name: 'steady-reads', is: 'Makes one read every second, all day.', run: readsSteadily },
  {
    name: 'test-suite',
    is: 'A test suite in which two tests submit the same fixture, and two expect the same unknown record; each test is a scope.',
    run: testSuite,
  },
];
