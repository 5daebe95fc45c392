import { describe, expect, it } from 'vitest';
import { labId, schools } from '../support/demo.ts';
import { failureOf, outputsOf, resultOf, world } from '../support/world.ts';
import { expectUnknown, missingId } from './unknown-record.ts';

const operation = 'update-interactive-coding-lab';
const hillcrestLabId = 'd1de009a8ce579222ab082dd';
const changes = {
  labTitle: 'Word Frequency Counter, Second Edition',
  labDescriptionAsMarkdown: '## Which words does an author love?\n\nCount them — *all* of them.\n',
  defaultGitRepositoryUrl: 'https://git.riverside-academy.example/labs/word-frequency-2.git',
  defaultGitRepositoryBranchName: 'autumn/2026',
  evaluationScriptBashCommand: 'python -m pytest -q tests/ && echo "fine"',
  evaluationScriptTestFileContent: "def test_nothing():\n    assert word_counts('') == {}\n",
  testCases: [{ title: 'An empty text has no words', points: 1.5, tags: ['first', null] }],
};

describe('update-interactive-coding-lab', () => {
  it('changes every field that is sent, and answers with an empty object', async () => {
    const { call, sandbox } = await world();
    expect(resultOf(await call(operation, { labId, ...changes }))).toEqual({});
    expect(await sandbox.state.get('labs', labId)).toEqual({
      id: labId,
      schoolId: schools.riverside,
      ...changes,
    });
  });

  it.each(Object.entries(changes))('keeps all other fields when %s alone is sent', async (field, value) => {
    const { call, sandbox } = await world();
    const before = await sandbox.state.get('labs', labId);
    resultOf(await call(operation, { labId, [field]: value }));
    expect(await sandbox.state.get('labs', labId)).toEqual({ ...before, [field]: value });
  });

  it('changes nothing when no field is sent', async () => {
    const { call, sandbox } = await world();
    const before = await sandbox.state.list('labs');
    expect(resultOf(await call(operation, { labId }))).toEqual({});
    expect(await sandbox.state.list('labs')).toEqual(before);
  });

  it('builds on the updates before it, and touches no other lab', async () => {
    const { call, sandbox } = await world();
    const before = await sandbox.state.list('labs');
    const { labTitle, testCases } = changes;
    resultOf(await call(operation, { labId, labTitle: 'Overwritten at once' }));
    resultOf(await call(operation, { labId, testCases }));
    resultOf(await call(operation, { labId, labTitle }));
    expect(await sandbox.state.list('labs')).toEqual(
      before.map((kept) => (kept.id === labId ? { ...kept, labTitle, testCases } : kept)),
    );
  });

  it.each([
    ['none', []],
    ['objects of any shape', [{}, { title: 'One', nested: { deep: [1, [2]] } }]],
    ['values that are no objects', ['a name', 7, null, true, ['list']]],
  ])('stores test cases as they are sent: %s', async (_, testCases) => {
    const { call, sandbox } = await world();
    resultOf(await call(operation, { labId, testCases }));
    expect(await sandbox.state.get('labs', labId)).toHaveProperty('testCases', testCases);
  });

  it("cannot tell another school's lab from one that does not exist, and leaves it alone", async () => {
    const place = await world();
    const before = await place.sandbox.state.list('labs');
    await expectUnknown(place, hillcrestLabId, {
      operation,
      parameters: (id) => ({ labId: id, ...changes }),
      what: 'lab',
    });
    expect(await place.sandbox.state.list('labs')).toEqual(before);
    resultOf(
      await place.call(
        operation,
        { labId: hillcrestLabId, labTitle: 'Renamed by its own school' },
        'hillcrest',
      ),
    );
    expect(await place.sandbox.state.get('labs', hillcrestLabId)).toHaveProperty(
      'labTitle',
      'Renamed by its own school',
    );
  });

  it('takes a batch element by element, in order, around those that fail', async () => {
    const { batch, sandbox } = await world();
    const before = await sandbox.state.get('labs', labId);
    const outputs = outputsOf(
      await batch(operation, [
        { labId, labTitle: 'First', defaultGitRepositoryBranchName: 'first' },
        { labId: missingId, labTitle: 'Second' },
        { labId, labTitle: 3 },
        { labId, labTitle: 'Fourth' },
      ]),
    );
    expect(outputs).toEqual([
      { status: 'ok', data: {} },
      {
        status: 'error',
        errorMessage: `/data/1/data/labId: The school has no lab with the identifier "${missingId}".`,
      },
      {
        status: 'error',
        errorMessage:
          'The parameters are invalid. /data/2/data/labTitle must be a string, but is the number 3.',
      },
      { status: 'ok', data: {} },
    ]);
    expect(await sandbox.state.get('labs', labId)).toEqual({
      ...before,
      labTitle: 'Fourth',
      defaultGitRepositoryBranchName: 'first',
    });
  });

  it.each([
    [{ labTitle: 'Unnamed' }, '/data/0/data/labId is required, but missing.'],
    [{ labId, labTitle: null }, '/data/0/data/labTitle must be a string, but is null.'],
    [{ labId, testCases: { title: 'One' } }, '/data/0/data/testCases must be an array, but is an object.'],
    [
      { labId, labTitle: 'Sticks not', testCases: 'none' },
      '/data/0/data/testCases must be an array, but is the string "none".',
    ],
  ])('refuses %j and changes nothing', async (parameters, message) => {
    const { call, sandbox } = await world();
    const before = await sandbox.state.list('labs');
    expect(failureOf(await call(operation, parameters))).toContain(message);
    expect(await sandbox.state.list('labs')).toEqual(before);
  });
});
