import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response, Test } from 'supertest';
import { describe, expect, it } from 'vitest';
import { faultGroups, faultNames } from '../../src/faults/index.ts';
import type { NewFaultRule, NewSandbox, SandboxHandle } from '../../src/index.ts';
import { instructors, labId, learner, quiz } from '../support/demo.ts';
import { supertest } from '../support/supertest.ts';
import { callText, openWire, repliesIn } from '../support/wire.ts';
import { outputsOf, resultOf, world } from '../support/world.ts';

const clock = { mode: 'frozen', now: '2026-10-15T09:00:00.000Z' } as const;
const operation = 'get-quiz-details';

/** The same fault in all three ways. A rule is called like its fault, so that the labels are the same too. */
type ThreeWays = readonly [header: string, identifier: string, rule: NewFaultRule];

/** Every fault as it is where nothing is said of it; only real time is kept short. */
const plain: readonly ThreeWays[] = Object.values(faultGroups)
  .flat()
  .filter(({ name }) => name !== 'delay')
  .map(({ name }) => [name, `fault.${name}`, { id: name, fault: name }]);

function way(
  fault: NewFaultRule['fault'],
  header: string,
  identifier: string,
  rule: Omit<NewFaultRule, 'fault'>,
): ThreeWays {
  return [`${fault}; ${header}`, `fault.${fault}.${identifier}`, { id: fault, fault, ...rule }];
}

const withParameters: readonly ThreeWays[] = [
  way('delay', 'ms=1', '1', { with: { ms: 1 } }),
  way('delay', 'min=1; max=2; phase=after', 'min=1.max=2.after', {
    with: { min: 1, max: 2 },
    phase: 'after',
  }),
  way('http-error', 'status=503', '503', { with: { status: 503 } }),
  way('http-error', 'status=503; retry-after=2', '503.2', { with: { status: 503, 'retry-after': 2 } }),
  way('http-error', 'retry-after=2', 'retry-after=2', { with: { 'retry-after': 2 } }),
  way('http-error', 'status=503; retry-after=2', 'retry-after=2.status=503', {
    with: { status: 503, 'retry-after': 2 },
  }),
  way('http-error', 'status=418; message=Tea', '418.message=Tea', { with: { status: 418, message: 'Tea' } }),
  way('http-error', 'status=503; phase=after', '503.after', { with: { status: 503 }, phase: 'after' }),
  way('http-error', 'phase=before', 'before', { phase: 'before' }),
  way('output-error', 'message=Gone', 'Gone', { with: { message: 'Gone' } }),
  way('output-error', 'message="503"', '503', { with: { message: '503' } }),
  way('throttled', 'retry-after=7', '7', { with: { 'retry-after': 7 } }),
  way('html-error-page', 'status=504', '504', { with: { status: 504 } }),
  way('wrong-content-type', 'type=text/html', 'text/html', { with: { type: 'text/html' } }),
  way('truncated-body', 'bytes=10', '10', { with: { bytes: 10 } }),
  way('truncated-body', 'bytes=10; phase=after', 'bytes=10.after', { with: { bytes: 10 }, phase: 'after' }),
  way('slow-body', 'bytes=512; ms=1', '512.1', { with: { bytes: 512, ms: 1 } }),
  way('timeout', 'seconds=2', '2', { with: { seconds: 2 } }),
  way('element-error', 'index=0; message=Gone', '0.message=Gone', { with: { index: 0, message: 'Gone' } }),
  way('element-error', 'every=2', 'every=2', { with: { every: 2 } }),
  way('long-strings', 'length=50', 'length=50', { with: { length: 50 } }),
  way('unknown-enum-values', 'value=Later', 'value=Later', { with: { value: 'Later' } }),
];

/** Each sandbox has request ids of its own. */
function withoutId(heard: string): string {
  return heard.replace(/(?<=Sandbox-Request-Id: )\S+/, '');
}

/**
 * What a client gets for one call, byte by byte, and how it ends. What waits is brought to its end by the
 * clock.
 */
async function seen(sandbox: SandboxHandle, call: { readonly note: string; readonly fault?: string }) {
  const wire = await openWire(sandbox);
  const { note, ...more } = call;
  wire.send(callText(sandbox, { operation, elements: [{ quizId: quiz.id, note }], ...more }));
  const over = new AbortController();
  const ending = wire
    .hear((heard) => repliesIn(heard).whole.length > 0)
    .then(
      () => 'whole',
      () => wire.ended,
    )
    .finally(() => over.abort());
  while (!over.signal.aborted) {
    if ((await sandbox.journal.list()).length > 0) await sandbox.clock.advance({ seconds: 60 });
    await nextTurn();
  }
  const [entry] = await sandbox.journal.list();
  return {
    heard: withoutId(wire.heard()),
    ending: await ending,
    status: entry?.status,
    faults: entry?.faults.map(({ fault, phase }) => ({ fault, phase })),
  };
}

describe('the three ways to ask for a fault', () => {
  it.each([...plain, ...withParameters])('give the same reply: %s, %s', async (header, identifier, rule) => {
    const byHeader = await seen((await world({ clock })).sandbox, { note: 'nothing', fault: header });
    expect(byHeader.faults).toMatchObject([{ fault: rule.fault }]);
    expect(await seen((await world({ clock })).sandbox, { note: identifier })).toEqual(byHeader);
    const { sandbox } = await world({ clock });
    await sandbox.faults.add(rule);
    expect(await seen(sandbox, { note: 'nothing' })).toEqual(byHeader);
  });

  it('can ask for several faults at once, by the header and by identifiers, which strike in the order in which they stand', async () => {
    const byHeader = await seen((await world({ clock })).sandbox, {
      note: 'x',
      fault: 'html-error-page; status=504, truncated-body; bytes=9',
    });
    expect(byHeader).toMatchObject({ status: 504, ending: 'in order' });
    expect(byHeader.heard).toMatch(/^Sandbox-Fault: html-error-page, truncated-body\r$/m);
    const { sandbox } = await world({ clock });
    const wire = await openWire(sandbox);
    const elements = [
      { quizId: quiz.id, notes: ['fault.html-error-page.504', 'fault.truncated-body.9'] },
      { quizId: 'fault.html-error-page.504' },
    ];
    wire.send(callText(sandbox, { operation, elements }));
    expect(await wire.ended).toBe('in order');
    expect(withoutId(wire.heard())).toBe(byHeader.heard);
  });
});

/** A call with an API key, and perhaps a fault in its header. */
function ask(
  sandbox: SandboxHandle,
  elements: readonly object[],
  header?: string,
  name: string = operation,
): Test {
  const request = supertest(sandbox.baseUrl)
    .post(`/public/${name}`)
    .set('SERVICE-API-KEY', sandbox.apiKey('riverside'));
  if (header !== undefined) request.set('Sandbox-Fault', header);
  return request.send({ data: elements.map((data) => ({ data })) });
}

const identifier = { quizId: 'fault.http-error.502' };
const rule: NewFaultRule = { id: 'a-rule', fault: 'http-error', with: { status: 501 } };

describe('a call that could be hit in several ways', () => {
  it.each<
    readonly [what: string, header: string | undefined, element: object, status: number, label: string]
  >([
    ['the header before all', 'http-error; status=503', identifier, 503, 'http-error'],
    ['an identifier before a rule', undefined, identifier, 502, 'http-error'],
    ['a rule where nothing else is there', undefined, { quizId: quiz.id }, 501, 'a-rule'],
  ])('is hit by %s', async (_, header, element, status, label) => {
    const { sandbox } = await world();
    await sandbox.faults.add(rule);
    const reply = await ask(sandbox, [element], header);
    expect({ status: reply.status, label: reply.headers['sandbox-fault'] }).toEqual({ status, label });
  });

  it('counts for no rule where it asks for a fault itself', async () => {
    const { sandbox } = await world();
    await sandbox.faults.add({ ...rule, when: { skip: 1, first: 1 } });
    const counted = async () => (await sandbox.faults.list()).map(({ matched, fired }) => [matched, fired]);
    for (const header of ['http-error', 'delay; ms=1', 'element-error; index=7'])
      await ask(sandbox, [{ quizId: quiz.id }], header);
    await ask(sandbox, [identifier]);
    expect(await counted()).toEqual([[0, 0]]);
    const statuses: number[] = [];
    for (let calls = 0; calls < 3; calls += 1)
      statuses.push((await ask(sandbox, [{ quizId: quiz.id }])).status);
    expect(statuses).toEqual([200, 501, 200]);
    expect(await counted()).toEqual([[3, 1]]);
  });

  it('counts for no rule where what it asks for is unknown', async () => {
    const { sandbox } = await world();
    await sandbox.faults.add(rule);
    for (const reply of [
      await ask(sandbox, [{}], 'explode'),
      await ask(sandbox, [{ quizId: 'fault.explode' }]),
    ])
      expect(reply.status).toBe(400);
    expect(await sandbox.faults.list()).toMatchObject([{ matched: 0, fired: 0 }]);
  });
});

const listOfFaults = `The faults are ${faultNames.join(', ')}.`;
const parameters = 'Its parameters are status, retry-after, message.';
const noStatus = '"status" must be a whole number from 400 to 599, but is';
const unreadable = 'The header Sandbox-Fault cannot be read: ';

/** Headers that cannot be followed, with all that is said of each. */
const badHeaders: readonly (readonly [header: string, ...said: readonly string[]])[] = [
  ['explode', `There is no fault "explode". ${listOfFaults}`],
  ['http-eror; status=503', `There is no fault "http-eror". Did you mean "http-error"? ${listOfFaults}`],
  ['Http-Error', `There is no fault "Http-Error". Did you mean "http-error"? ${listOfFaults}`],
  ['slow_body', `There is no fault "slow_body". Did you mean "slow-body"? ${listOfFaults}`],
  ['fault.reset', 'There is no fault "fault.reset".', listOfFaults],
  ['constructor', 'There is no fault "constructor".', listOfFaults],
  ['503', 'There is no fault "503".', listOfFaults],
  ['(reset garbage)', 'There is no fault "(reset garbage)".', listOfFaults],
  ['http-error; code=503', `"code" is not a parameter of http-error. ${parameters}`],
  [
    'http-error; retryafter=2',
    `"retryafter" is not a parameter of http-error. Did you mean "retry-after"? ${parameters}`,
  ],
  ['garbage; bytes=9', '"bytes" is not a parameter of garbage. It has no parameters.'],
  ['http-error; status=200', `${noStatus} the number 200.`],
  ['http-error; status=503.5', `${noStatus} the number 503.5.`],
  ['http-error; status="503"', `${noStatus} the string "503".`],
  ['http-error; status', `${noStatus} the boolean true.`],
  ['http-error; message=5', '"message" must be a string of up to 1000 characters, but is the number 5.'],
  ['reset; phase=during', '"phase" must be before or after, but is the string "during".'],
  ['delay; min=5', 'The parameters of delay are inconsistent.'],
  ['element-error; index=0; every=2', 'Set "index" or "every", not both.'],
  [
    'explode, http-error; code=1; status=1, reset, delay; ms=-1; phase=now',
    'There is no fault "explode".',
    '"code" is not a parameter of http-error.',
    noStatus,
    '"ms" must be a whole number',
    '"phase" must be before or after',
  ],
  ['', 'The header Sandbox-Fault is empty.', 'Example: http-error; status=503; retry-after=2.'],
  [',', unreadable, 'Example: http-error; status=503; retry-after=2.'],
  ['reset,', unreadable, 'Example:'],
  ['reset garbage', unreadable, 'Example:'],
  ['http-error: status=503', unreadable, 'Example:'],
  ['http-error status=503', unreadable, 'Example:'],
  ['http-error; status=', unreadable, 'Example:'],
  ['http-error; Status=503', unreadable, 'Example:'],
  [
    'http-error; message="Out to lunch',
    unreadable,
    'Quote text that contains anything but letters and digits ("…").',
  ],
  [
    'http-error; message=Out to lunch',
    unreadable,
    'Quote text that contains anything but letters and digits ("…").',
  ],
  ['{"fault":"reset"}', unreadable, 'Example:'],
];

/** Identifiers that cannot be followed, with all that is said of each. */
const badIdentifiers: readonly (readonly [identifier: string, ...said: readonly string[]])[] = [
  ['fault.', 'There is no fault "".', listOfFaults],
  ['fault.explode', `There is no fault "explode". ${listOfFaults}`],
  ['fault.http-eror.503', `There is no fault "http-eror". Did you mean "http-error"? ${listOfFaults}`],
  ['fault.HTTP-ERROR', `There is no fault "HTTP-ERROR". Did you mean "http-error"? ${listOfFaults}`],
  ['fault.constructor', 'There is no fault "constructor".', listOfFaults],
  ['fault.http-error.code=503', `"code" is not a parameter of http-error. ${parameters}`],
  [
    'fault.http-error.retryafter=2',
    `"retryafter" is not a parameter of http-error. Did you mean "retry-after"? ${parameters}`,
  ],
  ['fault.http-error.constructor=1', `"constructor" is not a parameter of http-error. ${parameters}`],
  ['fault.garbage.9', 'is not a parameter of garbage. It has no parameters.'],
  ['fault.http-error.503.2.Gone.more', 'is not a parameter of http-error.', parameters],
  ['fault.http-error.200', `${noStatus} the number 200.`],
  ['fault.http-error.', `${noStatus} the string "".`],
  ['fault.http-error.many', `${noStatus} the string "many".`],
  ['fault.http-error.after.503', `${noStatus} the string "after".`],
  ['fault.delay.-5', '"ms" must be a whole number from 0 to 600000, but is the string "-5".'],
  ['fault.delay.min=5', 'The parameters of delay are inconsistent.'],
  ['fault.http-error.code=1.status=1', '"code" is not a parameter of http-error.', noStatus],
];

/** Assumptions under which the service itself would say next to nothing. */
const taciturn: NewSandbox = {
  assumptions: { refusalBody: 'empty', failureMessages: 'generic', malformedBody: 'output-error' },
};

/** A reply that says what is wrong with a fault that was asked for, whatever is assumed of the service. */
async function expectBadFault(
  sandbox: SandboxHandle,
  reply: Response,
  said: readonly string[],
): Promise<void> {
  const { status, type, body, headers } = reply;
  expect({ status, type, label: headers['sandbox-fault'] }).toEqual({
    status: 400,
    type: 'application/problem+json',
    label: undefined,
  });
  expect(body).toMatchObject({ type: 'urn:learning-platform-sandbox:bad-fault', status: 400 });
  // Held against the form just above.
  const { detail } = body as { readonly detail: string };
  for (const part of said) expect(detail).toContain(part);
  expect(await sandbox.journal.list()).toMatchObject([
    { status: 400, outcome: 'bad-fault', outcomes: [], faults: [] },
  ]);
}

describe('a header that cannot be followed', () => {
  it.each(badHeaders)(
    'is refused with all that is wrong, whatever is assumed of the service: "%s"',
    async (header, ...said) => {
      const { sandbox } = await world(taciturn);
      const reply = await ask(
        sandbox,
        [{ labId, labTitle: 'Changed' }],
        header,
        'update-interactive-coding-lab',
      );
      await expectBadFault(sandbox, reply, ['The header Sandbox-Fault ', ...said]);
      expect(await sandbox.state.get('labs', labId)).not.toHaveProperty('labTitle', 'Changed');
    },
  );
});

describe('a magic identifier that cannot be followed', () => {
  it.each(badIdentifiers)(
    'is refused with all that is wrong, whatever is assumed of the service: "%s"',
    async (bad, ...said) => {
      const { sandbox } = await world(taciturn);
      const elements = [
        { labId, labTitle: 'Changed' },
        { labId, labTitle: 'Changed again', labDescriptionAsMarkdown: bad },
      ];
      const reply = await ask(sandbox, elements, undefined, 'update-interactive-coding-lab');
      await expectBadFault(sandbox, reply, [`The magic identifier "${bad}" is invalid: `, ...said]);
      expect(await sandbox.state.get('labs', labId)).toEqual(
        await (await world()).sandbox.state.get('labs', labId),
      );
    },
  );

  it('is refused even where a header asks for a fault that there is', async () => {
    const { sandbox } = await world();
    await expectBadFault(sandbox, await ask(sandbox, [{ quizId: 'fault.explode' }], 'throttled'), [
      'There is no fault "explode".',
    ]);
  });

  it('is not read if it is too long, even as long as a body', { tags: ['slow'] }, async () => {
    const { sandbox } = await world({ assumptions: { maxPayload: '10mb' } });
    await expectBadFault(sandbox, await ask(sandbox, [{ quizId: 'fault.timeout.'.repeat(600_000) }]), [
      'it has 8400000 characters, but at most 10000 are allowed.',
    ]);
  });

  it('is told its number of values, and not each of them, if no fault has so many', async () => {
    const { sandbox } = await world();
    const elements = Array.from({ length: 20 }, (_, number) => ({
      quizId: `fault.delay.${'a.'.repeat(4900)}${number}`,
    }));
    const reply = await ask(sandbox, elements);
    await expectBadFault(sandbox, reply, ['it has 4901 values, but no fault has more than 20 parameters.']);
    expect(JSON.stringify(reply.body).length).toBeLessThan(5000);
    const most = Object.values(faultGroups).flatMap((group) =>
      group.map(({ parameters }) => Object.keys(parameters).length),
    );
    expect(Math.max(...most)).toBeLessThanOrEqual(20);
  });

  it('is told no longer than it needs to be', async () => {
    const { sandbox } = await world();
    const { body } = await ask(sandbox, [{ quizId: `fault.reset.${'9'.repeat(5000)}` }]);
    expect((body as { readonly detail: string }).detail.length).toBeLessThan(500);
  });
});

describe('a magic identifier', () => {
  it.each<readonly [name: string, parameters: object]>([
    ['get-quiz-details', { quizId: 'fault.throttled' }],
    ['get-video-library', { filterTerm: 'fault.throttled' }],
    ['get-video-library', { folderPath: ['Recordings', 'fault.throttled'] }],
    [
      'list-assignments',
      { courseIdentifier: { type: 'digital-product', digitalProductId: 'fault.throttled' } },
    ],
    ['submit-user-course-item', { courseItemId: quiz.itemId, userId: 'fault.throttled' }],
    [
      'submit-user-course-item',
      {
        courseItemId: quiz.itemId,
        userId: learner.id,
        details: {
          questionsToUpsert: [
            { questionUniqueId: quiz.single.id, newSelectedOptionIds: ['1', 'fault.throttled'] },
          ],
        },
      },
    ],
    [
      'create-instructor-account',
      { instructorEmail: instructors.hillcrest.email, instructorName: 'fault.throttled' },
    ],
    ['create-instructor-account', { instructorEmail: 'fault.throttled' }],
    ['update-interactive-coding-lab', { labId, testCases: [[{ deep: { deeper: ['fault.throttled'] } }]] }],
    ['get-all-instructors', { anything: 'fault.throttled' }],
  ])('works in any text of the parameters: %s %j', async (name, element) => {
    const { sandbox } = await world();
    const reply = await ask(sandbox, [element], undefined, name);
    expect({ status: reply.status, label: reply.headers['sandbox-fault'] }).toEqual({
      status: 429,
      label: 'throttled',
    });
  });

  it('hits of the faults that hit elements those that carry it', async () => {
    const { batch } = await world();
    const carrier = { quizId: quiz.id, notes: ['fault.element-error', 'fault.element-error'] };
    const elements = [{ quizId: quiz.id }, carrier, { quizId: quiz.id }, carrier];
    const reply = await batch(operation, elements);
    expect(outputsOf(reply).map(({ status }) => status)).toEqual(['ok', 'error', 'ok', 'error']);
    expect(reply.headers['sandbox-fault']).toBe('element-error');
  });

  it('hits each element in its own way where they carry different ones', async () => {
    const { batch } = await world();
    const elements = ['fault.element-error.message=One', 'none', 'fault.element-error.message=Two'].map(
      (note) => ({
        quizId: quiz.id,
        note,
      }),
    );
    const said = outputsOf(await batch(operation, elements)).map((output) =>
      output.status === 'error' ? output.errorMessage : 'well',
    );
    expect(said).toEqual(['One', 'well', 'Two']);
  });

  it('hits another element where it says so by itself', async () => {
    const { batch } = await world();
    const reply = await batch(operation, [
      { quizId: quiz.id },
      { quizId: quiz.id, note: 'fault.element-error.0' },
    ]);
    expect(outputsOf(reply).map(({ status }) => status)).toEqual(['error', 'ok']);
  });

  it.each([
    'default.http-error',
    'see fault.http-error',
    'fault.http-error is what this text is about',
    ' fault.http-error',
    'fault.http-error ',
    'fault.http-error\n',
    'fault',
    'faults.reset',
    'FAULT.reset',
    'a-fault.reset',
    'a "fault.reset',
    'fault.line@school.example',
  ])('is no text that merely looks like one: %j', async (labTitle) => {
    const { sandbox, call } = await world();
    const reply = await call('update-interactive-coding-lab', { labId, labTitle });
    expect(resultOf(reply)).toEqual({});
    expect(reply.headers).not.toHaveProperty('sandbox-fault');
    expect(await sandbox.state.get('labs', labId)).toHaveProperty('labTitle', labTitle);
  });

  it('is nothing where it is the name of a parameter, or stands outside of the parameters', async () => {
    const { sandbox } = await world();
    const named = await ask(sandbox, [{ quizId: quiz.id, 'fault.reset': 1 }]);
    const outside = await ask(sandbox, []).send({
      note: 'fault.reset',
      data: [{ note: 'fault.reset', data: { quizId: quiz.id } }],
    });
    for (const { status, headers } of [named, outside])
      expect({ status, label: headers['sandbox-fault'] }).toEqual({ status: 200 });
  });
});

describe('a call that is turned away at the door', () => {
  const asking = [undefined, 'http-error; status=503', 'explode', ''] as const;

  it.each(asking)('for its key is not looked at for faults: header %j', async (header) => {
    const { sandbox } = await world();
    await sandbox.faults.add(rule);
    for (const key of [undefined, `sbx_${sandbox.id}_nowhere`]) {
      const request = supertest(sandbox.baseUrl).post(`/public/${operation}`);
      if (header !== undefined) request.set('Sandbox-Fault', header);
      if (key !== undefined) request.set('SERVICE-API-KEY', key);
      const { status, headers } = await request.send({ data: [{ data: { quizId: 'fault.explode' } }] });
      expect({ status, label: headers['sandbox-fault'] }).toEqual({ status: 401 });
    }
    expect(await sandbox.faults.list()).toMatchObject([{ matched: 0, fired: 0 }]);
  });

  it.each(asking)('for its limit is not looked at for faults: header %j', async (header) => {
    const { sandbox } = await world({ clock });
    for (let calls = 0; calls < 15; calls += 1) await ask(sandbox, [{}], undefined, 'get-all-instructors');
    await sandbox.faults.add(rule);
    const { status, headers } = await ask(
      sandbox,
      [{ note: 'fault.explode' }],
      header,
      'get-all-instructors',
    );
    expect({ status, label: headers['sandbox-fault'] }).toEqual({ status: 429 });
    expect(await sandbox.faults.list()).toMatchObject([{ matched: 0, fired: 0 }]);
    await sandbox.clock.advance({ seconds: 60 });
    expect((await ask(sandbox, [{}], undefined, 'get-all-instructors')).status).toBe(501);
  });

  it('uses up its limit where it asks for a fault, even for one that there is not', async () => {
    const { sandbox } = await world({ clock });
    for (let calls = 0; calls < 15; calls += 1)
      await ask(sandbox, [{}], calls % 2 === 0 ? 'throttled' : 'explode', 'get-all-instructors');
    const { status, headers } = await ask(sandbox, [{}], undefined, 'get-all-instructors');
    expect({ status, label: headers['sandbox-fault'] }).toEqual({ status: 429 });
  });
});
