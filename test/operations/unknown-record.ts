import { expect } from 'vitest';
import type { Response } from 'supertest';
import { failureOf, type World } from '../support/world.ts';

/** An id of the usual form that no record of the demo seed has. */
export const missingId = 'f'.repeat(24);

/**
 * A call that names a record by an id, and how a record that the school does not have is called in the
 * answer.
 */
interface Asked {
  readonly operation: string;
  readonly parameters: (id: string) => object;
  readonly what: string;
}

/**
 * Expects that another school's record is answered exactly as one that does not exist: status, headers and
 * body.
 */
export async function expectUnknown(
  { call }: World,
  foreignId: string,
  { operation, parameters, what }: Asked,
): Promise<void> {
  const foreign = await call(operation, parameters(foreignId));
  const missing = await call(operation, parameters(missingId));
  expect(failureOf(foreign)).toMatch(
    new RegExp(`^/data/0/data/[\\w/]+: The school has no ${what} with the identifier "${foreignId}"\\.$`),
  );
  expect(replyBut(foreign, foreignId)).toEqual(replyBut(missing, missingId));
}

/** All of a reply but the id that was asked for, and what is another one in every reply. */
function replyBut({ status, headers, text }: Response, id: string): object {
  const lasting = Object.entries(headers).filter(([name]) => !['date', 'sandbox-request-id'].includes(name));
  return { status, headers: Object.fromEntries(lasting), text: text.replaceAll(id, '') };
}
