import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { supertest } from '../support/supertest.ts';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/index.ts';
import { anyText } from '../support/any-text.ts';
import { coupon, labId, quiz } from '../support/demo.ts';

const text = fc.oneof(fc.string(), anyText(), fc.constantFrom('', '__proto__', '\ud800', 'null'));
const optional = { requiredKeys: [] };

/** Parameters that the contract accepts, of each operation that writes. */
const writes = fc.oneof(
  fc.record({
    operation: fc.constant('update-interactive-coding-lab'),
    parameters: fc
      .record(
        { labTitle: text, defaultGitRepositoryUrl: text, testCases: fc.array(fc.jsonValue({ maxDepth: 4 })) },
        optional,
      )
      .map((fields) => ({ labId, ...fields })),
  }),
  fc.record({
    operation: fc.constant('update-digital-product-coupon'),
    parameters: fc
      .record(
        {
          description: text,
          numberOfRedemptionsAllowed: fc.integer(),
          couponTypeData: fc.record({ percentOff: fc.nat(100), more: text }),
        },
        optional,
      )
      .map((fields) => ({
        serviceCouponCodeId: coupon.id,
        serviceDigitalProductId: coupon.productId,
        ...fields,
      })),
  }),
  fc.record({
    operation: fc.constant('submit-user-course-item'),
    parameters: fc
      .record(
        { userId: text, userEmail: fc.emailAddress(), shouldMarkAsCompleted: fc.boolean() },
        { requiredKeys: ['userId'] },
      )
      .map((fields) => ({ courseItemId: quiz.itemId, ...fields })),
  }),
  fc.record({
    operation: fc.constant('create-instructor-account'),
    parameters: fc.record(
      { instructorEmail: fc.emailAddress(), instructorName: text },
      { requiredKeys: ['instructorEmail'] },
    ),
  }),
);

describe('a state file', () => {
  it(
    'holds nothing that the next start would refuse, whatever the API has accepted',
    { tags: ['slow'] },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'lp-sandbox-'));
      const warnings: string[] = [];
      const start = () =>
        startSandbox({ port: 0, data: folder, limits: null, warn: (message) => warnings.push(message) });
      const first = await start();
      await fc.assert(
        fc.asyncProperty(writes, async ({ operation, parameters }) => {
          const reply = supertest(first.url)
            .post(`/public/${operation}`)
            .set('SERVICE-API-KEY', 'sbx_default_riverside');
          await reply.send({ data: [{ data: parameters }] }).expect(200);
        }),
        { numRuns: 75, seed: 1 },
      );
      const before = await Promise.all(
        (['labs', 'coupons', 'users', 'submissions', 'instructors'] as const).map((name) =>
          first.default.state.list(name),
        ),
      );
      await first.close();
      const second = await start();
      const after = await Promise.all(
        (['labs', 'coupons', 'users', 'submissions', 'instructors'] as const).map((name) =>
          second.default.state.list(name),
        ),
      );
      await second.close();
      rmSync(folder, { recursive: true });
      expect(warnings).toEqual([]);
      expect(after).toEqual(before);
    },
  );
});
