import { expect, it } from 'vitest';
import { withoutKeyParts } from '../../src/upstream/difference-report/mask.ts';

it('A comparison masks parts of a key in what was sent, but not in its own reasons', () => {
  const why = 'not compared without --rate-limits: throttleReply';
  const { differences, skipped } = withoutKeyParts(
    {
      title: 'a comparison',
      sides: ['service', 'sandbox'],
      compared: [],
      differences: [
        {
          id: 'body get-quiz-details call-1',
          operation: 'get-quiz-details',
          call: 'call-1',
          what: 'the message',
          left: 'unknown key rate-limits-7Qx',
          right: 'none',
          count: 1,
          explanation: null,
        },
      ],
      skipped: [{ operation: 'all', call: 'open points', why }],
    },
    ['rate-limits-7Qx2'],
  );
  expect(differences[0]?.left).not.toContain('limits');
  expect(skipped[0]?.why).toBe(why);
});

it('A comparison shows the names of the schools of the sandbox in any case, but only on its side', () => {
  const difference = {
    id: 'body get-quiz-details call-1',
    operation: 'get-quiz-details',
    call: 'call-1',
    what: 'the title',
    left: 'Riverside Robotics',
    right: 'Riverside Robotics',
    count: 1,
    explanation: null,
  } as const;
  const { differences } = withoutKeyParts(
    { title: '', sides: ['service', 'sandbox'], compared: [], differences: [difference], skipped: [] },
    ['sbx_default_riverside'],
    ['riverside', 'A.B'],
  );
  expect(differences[0]).toMatchObject({ left: '[key] Robotics', right: 'Riverside Robotics' });
});

it('A comparison shows what the probes found as they say it: they have masked what was sent', () => {
  const difference = {
    id: 'assumption:listOrder',
    operation: 'all',
    call: 'open points',
    what: 'listOrder',
    left: 'the service matches none of the options: two new instructors: [key]',
    right: 'added (two new instructors: added)',
    count: 1,
    explanation: null,
  } as const;
  const report = { title: '', sides: ['service', 'sandbox'], compared: [], skipped: [] } as const;
  for (const key of ['listOrder', 'instructors', 'options'])
    expect(withoutKeyParts({ ...report, differences: [difference] }, [key]).differences).toEqual([
      difference,
    ]);
});
