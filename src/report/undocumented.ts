import { isObject } from '../base/is-object.ts';
import { parametersIn } from '../contract/envelope.ts';
import { countUndocumented, undocumentedFields } from '../contract/field-options.ts';
import { parameterSchemas } from '../contract/generated/parameter-schemas.js';
import { nearMisses } from '../contract/near-misses.ts';
import { isOperationName, type OperationName } from '../contract/operation-types.ts';
import type { Schema } from '../contract/openapi.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';

/** Fields of a request that the contract does not document. */
export interface Undocumented {
  readonly message: string;
  /** The first field, without the place of its element. */
  readonly subject: string;
}

/** Returns the first field of a request that the contract does not document; null if there is none. */
export function undocumentedIn({ operation, assumed }: JournalEntry, body: unknown): Undocumented | null {
  // It was read if the type or the stored type is another one.
  const isTypeOpen = assumed.includes('couponTypes');
  if (!isOperationName(operation)) return null;
  const schema: Schema = parameterSchemas[operation];
  const elements = parametersIn(body);
  // Only the first one is named. The pointers of all would take much longer than their number.
  const counts = elements.map((parameters) => countUndocumented(schema, parameters, isTypeOpen));
  const beside = besideData(body);
  const at = counts.findIndex((count) => count > 0);
  const [first] = at < 0 ? beside : undocumentedFields(schema, elements[at], `/data/${at}/data`, isTypeOpen);
  if (first === undefined) return null;
  const subject = first.replace(/^\/data\/\d+\/(?:data\/)?/, '');
  const near = nearMiss({ operation, isTypeOpen }, body, first);
  const hint =
    near === undefined
      ? ''
      : ` ${near.slice(0, 1).toUpperCase()}${near.slice(1)}${near.endsWith('?') ? '' : '.'}`;
  const others = counts.reduce((sum, count) => sum + count, beside.length) - 1;
  const more = others === 0 ? '' : ` The same applies to ${others} more in this call.`;
  return { message: `${first} is not a field of ${operation}.${hint}${more}`, subject };
}

/** Returns what is probably meant by an undocumented field of a body. */
function nearMiss(
  { operation, isTypeOpen }: { readonly operation: OperationName; readonly isTypeOpen: boolean },
  body: unknown,
  field: string,
): string | undefined {
  for (const [index, parameters] of parametersIn(body).entries()) {
    const base = `/data/${index}/data`;
    if (!field.startsWith(`${base}/`)) continue;
    return nearMisses(operation, parameters, base, isTypeOpen).find(({ pointer }) => pointer === field)
      ?.message;
  }
  return undefined;
}

/** Returns the pointers to the fields beside `data`, of the batch and of its elements. */
function besideData(body: unknown): readonly string[] {
  if (!isObject(body) || !Array.isArray(body['data'])) return [];
  return [
    ...undocumentedFields(onlyData, body),
    ...body['data'].flatMap((element: unknown, index) =>
      undocumentedFields(onlyData, element, `/data/${index}`),
    ),
  ];
}

const onlyData: Schema = { type: 'object', properties: { data: {} } };
