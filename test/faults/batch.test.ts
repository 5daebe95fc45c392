import { describe, expect, it } from 'vitest';
import type { NewFaultRule, NewSandbox, SandboxHandle } from '../../src/index.ts';
import { products, quiz } from '../support/demo.ts';
import { world } from '../support/world.ts';
import { fetchCall, type WireCall } from '../support/wire.ts';

const unable = 'The service could not complete the request.';
const undone = 'Another element of the batch failed, so no element takes effect.';
const operation = 'create-instructor-account';

/** An element that makes an instructor of this name; what is planted goes into a field that nobody reads. */
function instructor(name: string, planted = 'nothing'): object {
  return { instructorEmail: `${name}@batch.example`, instructorName: name, note: planted };
}

const three: WireCall = { operation, elements: ['one', 'two', 'three'].map((name) => instructor(name)) };
const five: WireCall = {
  operation,
  elements: ['one', 'two', 'three', 'four', 'five'].map((name) => instructor(name)),
};

interface Came {
  readonly status: number;
  /**
   * Each member in short: whom an output that is well has made, the message of an error, or the member
   * itself.
   */
  readonly members: readonly unknown[];
  /** The instructors that there are now, in the order in which they were made. */
  readonly made: readonly string[];
}

async function make(sandbox: SandboxHandle, call: WireCall): Promise<Came> {
  const { status, text } = await fetchCall(sandbox, call);
  const all = await sandbox.state.list('instructors');
  const short = (member: {
    output?: { status?: unknown; errorMessage?: unknown; data?: { serviceInstructorId: unknown } };
  }): unknown => {
    const { output } = member;
    if (output?.status === 'ok')
      return `ok: ${all.find(({ id }) => id === output.data?.serviceInstructorId)?.name}`;
    return output?.errorMessage ?? member;
  };
  // The form of replies, where a fault leaves it.
  const members = (JSON.parse(text) as Parameters<typeof short>[0][]).map(short);
  return {
    status,
    members,
    made: all.filter(({ email }) => email.endsWith('@batch.example')).map(({ name }) => name),
  };
}

async function makeIn(request: NewSandbox, call: WireCall): Promise<Came> {
  return make((await world(request)).sandbox, call);
}

/** What the faults that hit elements leave of one. */
const left: readonly (readonly [fault: NewFaultRule['fault'], member: unknown])[] = [
  ['element-error', unable],
  ['missing-output', {}],
  ['error-without-message', { output: { status: 'error' } }],
  ['not-found', 'The school has no record with this identifier.'],
];

describe.each(left)('%s', (fault, gone) => {
  it.each([
    ['all elements where it is not told which', '', [0, 1, 2, 3, 4]],
    ['the element of an index', '; index=1', [1]],
    ['the first element', '; index=0', [0]],
    ['every so-manieth element', '; every=2', [1, 3]],
    ['every element', '; every=1', [0, 1, 2, 3, 4]],
    ['no element where none has the index', '; index=5', []],
    ['no element where there are fewer', '; every=6', []],
  ])('hits %s, and keeps just that from being processed: %s', async (_, choice, hit) => {
    const { status, members, made } = await makeIn({}, { ...five, fault: `${fault}${choice}` });
    const names = ['one', 'two', 'three', 'four', 'five'];
    expect(status).toBe(200);
    expect(members).toEqual(names.map((name, number) => (hit.includes(number) ? gone : `ok: ${name}`)));
    expect(made).toEqual(names.filter((_name, number) => !hit.includes(number)));
  });

  it('strikes what has taken effect in the phase after', async () => {
    const { members, made } = await makeIn({}, { ...three, fault: `${fault}; index=1; phase=after` });
    expect({ members, made }).toEqual({
      members: ['ok: one', gone, 'ok: three'],
      made: ['one', 'two', 'three'],
    });
  });

  it('does not go with both an index and every', async () => {
    const reply = await fetchCall((await world()).sandbox, { ...three, fault: `${fault}; index=1; every=2` });
    expect(reply.status).toBe(400);
    expect(reply.text).toContain(`The parameters of ${fault} are inconsistent.`);
  });

  it('by a magic identifier hits the elements that carry it', async () => {
    const elements = [
      instructor('one'),
      instructor('two', `fault.${fault}`),
      instructor('three'),
      instructor('four', `fault.${fault}`),
    ];
    const { members, made } = await makeIn({}, { operation, elements });
    expect({ members, made }).toEqual({
      members: ['ok: one', gone, 'ok: three', gone],
      made: ['one', 'three'],
    });
  });

  it('by a magic identifier with every hits every so-manieth of those that carry it', async () => {
    const planted = `fault.${fault}.every=2`;
    const elements = [
      instructor('one', planted),
      instructor('two'),
      instructor('three', planted),
      instructor('four', planted),
    ];
    const { members } = await makeIn({}, { operation, elements });
    expect(members).toEqual(['ok: one', 'ok: two', gone, 'ok: four']);
  });

  it('by a rule hits the elements that fit it', async () => {
    const { sandbox } = await world();
    await sandbox.faults.add({ fault, match: { parameters: { instructorName: 'two' } } });
    const { members, made } = await make(sandbox, three);
    expect({ members, made }).toEqual({ members: ['ok: one', gone, 'ok: three'], made: ['one', 'three'] });
    expect((await make(sandbox, { operation, elements: [instructor('four')] })).members).toEqual([
      'ok: four',
    ]);
    expect(await sandbox.faults.list()).toMatchObject([{ matched: 1, fired: 1 }]);
  });

  it('by a rule that looks at no parameters hits all elements', async () => {
    const { sandbox } = await world();
    await sandbox.faults.add({ fault });
    expect(await make(sandbox, three)).toMatchObject({ members: [gone, gone, gone], made: [] });
  });

  it('ends a batch that stops at its first error', async () => {
    const { members, made } = await makeIn(
      { assumptions: { batchProcessing: 'stop-at-first-error' } },
      { ...three, fault: `${fault}; index=1` },
    );
    expect({ members, made }).toEqual({ members: ['ok: one', gone], made: ['one'] });
  });

  it('fails all of a batch that is all or nothing, the others as if one of their own had failed', async () => {
    const request: NewSandbox = { assumptions: { batchProcessing: 'all-or-nothing' } };
    const { members, made } = await makeIn(request, { ...three, fault: `${fault}; index=1` });
    expect({ members, made }).toEqual({ members: [undone, gone, undone], made: [] });
    expect(await makeIn(request, { ...three, fault: `${fault}; index=3` })).toMatchObject({
      made: ['one', 'two', 'three'],
    });
  });

  it('hits the first element alone where only that is processed', async () => {
    const request: NewSandbox = { assumptions: { batchProcessing: 'first-only' } };
    expect(await makeIn(request, { ...three, fault })).toMatchObject({ members: [gone], made: [] });
    expect(await makeIn(request, { ...three, fault: `${fault}; index=1` })).toMatchObject({
      members: ['ok: one'],
      made: ['one'],
    });
  });

  it('stands before the check of the parameters that it hits', async () => {
    const { status, members } = await makeIn(
      { assumptions: { invalidParameters: 'http-400' } },
      { operation, elements: [instructor('one'), {}, instructor('three')], fault: `${fault}; index=1` },
    );
    expect({ status, members }).toEqual({ status: 200, members: ['ok: one', gone, 'ok: three'] });
  });

  it('has nothing to hit in an empty batch', async () => {
    expect(await makeIn({}, { operation, elements: [], fault })).toEqual({
      status: 200,
      members: [],
      made: [],
    });
  });

  it('leaves what became of each element in the journal', async () => {
    const { sandbox } = await world();
    await make(sandbox, { ...three, fault: `${fault}; index=1` });
    expect(await sandbox.journal.list()).toMatchObject([
      { outcome: 'fault', outcomes: ['ok', 'error', 'ok'] },
    ]);
  });
});

describe('element-error', () => {
  it('has the message that it is given, even where failures tell little', async () => {
    const fault = 'element-error; index=0; message="Try again, please."';
    const { members } = await makeIn({ assumptions: { failureMessages: 'generic' } }, { ...three, fault });
    expect(members).toEqual(['Try again, please.', 'ok: two', 'ok: three']);
  });

  it('takes its message from a magic identifier too', async () => {
    const elements = [instructor('one'), instructor('two', 'fault.element-error.message=Gone')];
    expect(await makeIn({}, { operation, elements })).toMatchObject({ members: ['ok: one', 'Gone'] });
  });

  it('leaves the results of the other elements as they are', async () => {
    const { sandbox } = await world();
    const call: WireCall = {
      operation: 'get-quiz-details',
      elements: [{ quizId: quiz.id }, { quizId: quiz.id }],
    };
    const sound = JSON.parse((await fetchCall(sandbox, call)).text) as unknown[];
    const hit = JSON.parse(
      (await fetchCall(sandbox, { ...call, fault: 'element-error; index=0' })).text,
    ) as unknown[];
    expect(hit).toEqual([{ output: { status: 'error', errorMessage: unable } }, sound[1]]);
  });

  it.each([
    ['the only element', 1, 500],
    ['all of several elements', 3, 200],
  ])('has a status of its own where failures do: %s', async (_, count, status) => {
    const call: WireCall = { operation, elements: three.elements.slice(0, count), fault: 'element-error' };
    expect((await makeIn({ assumptions: { operationFailureStatus: 'by-kind' } }, call)).status).toBe(status);
  });
});

describe('short-output', () => {
  it.each([
    ['short-output', ['one', 'two', 'three', 'four']],
    ['short-output; by=3', ['one', 'two']],
    ['short-output; by=5', []],
    ['short-output; by=6', []],
  ])('leaves the last elements out, unprocessed: %s', async (fault, names) => {
    const { status, members, made } = await makeIn({}, { ...five, fault });
    expect({ status, members, made }).toEqual({
      status: 200,
      members: names.map((name) => `ok: ${name}`),
      made: names,
    });
  });

  it('loses outputs of elements that have taken effect in the phase after', async () => {
    const { members, made } = await makeIn({}, { ...three, fault: 'short-output; by=2; phase=after' });
    expect({ members, made }).toEqual({ members: ['ok: one'], made: ['one', 'two', 'three'] });
  });

  it('leaves out the end, whichever element asks for it', async () => {
    const elements = [instructor('one', 'fault.short-output.1'), instructor('two'), instructor('three')];
    expect(await makeIn({}, { operation, elements })).toMatchObject({
      members: ['ok: one', 'ok: two'],
      made: ['one', 'two'],
    });
  });

  it.each([
    ['stop-at-first-error', ['ok: one', 'ok: two'], ['one', 'two']],
    ['all-or-nothing', [undone, undone], []],
  ] as const)('takes what is left out for failed: %s', async (batchProcessing, members, made) => {
    expect(
      await makeIn({ assumptions: { batchProcessing } }, { ...three, fault: 'short-output' }),
    ).toMatchObject({ members, made });
  });
});

describe('reordered-output', () => {
  it('turns the outputs round, and all elements take effect in their order', async () => {
    const { status, members, made } = await makeIn({}, { ...three, fault: 'reordered-output' });
    expect({ status, members, made }).toEqual({
      status: 200,
      members: ['ok: three', 'ok: two', 'ok: one'],
      made: ['one', 'two', 'three'],
    });
  });

  it.each(['each-in-order', 'stop-at-first-error'] as const)(
    'turns errors round as well: %s',
    async (batchProcessing) => {
      const elements = [instructor('one'), { ...instructor('two'), instructorName: '' }];
      const { members } = await makeIn(
        { assumptions: { batchProcessing } },
        { operation, elements, fault: 'reordered-output' },
      );
      expect(members).toEqual(['/data/1/data/instructorName must not be empty or blank.', 'ok: one']);
    },
  );
});

describe('faults of one batch', () => {
  it('by magic identifiers hit each its own elements', async () => {
    const elements = [
      instructor('one', 'fault.element-error'),
      instructor('two'),
      instructor('three', 'fault.missing-output'),
    ];
    expect(await makeIn({}, { operation, elements })).toMatchObject({
      members: [unable, 'ok: two', {}],
      made: ['two'],
    });
  });

  it('by header change the outputs one after the other', async () => {
    const { members, made } = await makeIn(
      {},
      { ...three, fault: 'element-error; index=0, short-output, reordered-output' },
    );
    expect({ members, made }).toEqual({ members: ['ok: two', unable], made: ['two'] });
  });

  it.each([
    ['a field within another', { '/courseIdentifier/digitalProductId': products.python }],
    ['a whole object', { courseIdentifier: { digitalProductId: products.python, type: 'product-id' } }],
    [
      'several',
      { '/courseIdentifier/digitalProductId': products.python, '/courseIdentifier/type': 'product-id' },
    ],
  ])('by a rule that looks at %s hit the elements that fit', async (_, parameters) => {
    const { sandbox } = await world();
    await sandbox.faults.add({
      operation: 'list-assignments',
      fault: 'missing-output',
      match: { parameters },
    });
    const elements = [products.python, products.withoutAssignments, products.python].map(
      (digitalProductId) => ({
        courseIdentifier: { type: 'product-id', digitalProductId },
      }),
    );
    const reply = await fetchCall(sandbox, { operation: 'list-assignments', elements });
    expect(JSON.parse(reply.text)).toEqual([
      {},
      { output: expect.objectContaining({ status: 'ok' }) as unknown },
      {},
    ]);
  });
});
