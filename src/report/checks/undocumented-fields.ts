import { isObject } from '../../base/is-object.ts';
import { parametersIn } from '../../contract/envelope.ts';
import { undocumentedFields as fieldsBeside } from '../../contract/field-options.ts';
import { parameterSchemas } from '../../contract/generated/parameter-schemas.js';
import { nearMisses } from '../../contract/near-misses.ts';
import { isOperationName, type OperationName } from '../../contract/operation-types.ts';
import type { Schema } from '../../contract/openapi.ts';
import type { Breach, Check } from '../check.ts';
import type { Attempt } from '../attempt.ts';

export const undocumentedFields: Check = {
  check: 'undocumented-fields',
  title: 'Sends only documented fields',
  rule:
    'The client must send only fields that the contract documents, in the batch and in its parameters, and no query. The service may ignore other fields today, but reject them or give them a meaning later. ' +
    'The check ignores requests of more than 64 Ki characters.',
  basis:
    'The assumption unknownFields: the specification does not say what the service does with other fields. Common conventions 3: the request has only the field data, and so do its elements.',
  strength: 'should',
  occasion: 'calls with readable parameters',
  exercise: 'lp-sandbox exec -- CMD',
  *examine({ attempts }) {
    const breaches: Breach[] = [];
    let occasions = 0;
    for (const attempt of attempts) {
      const body = attempt.body();
      if (parametersIn(body).length > 0) occasions += 1;
      breaches.push(...breachOf(attempt, body));
      yield;
    }
    return { occasions, breaches };
  },
};

function breachOf(attempt: Attempt, body: unknown): readonly Breach[] {
  const { operation, assumed } = attempt.entry;
  // It was read if the type or the stored type is another one.
  const isTypeOpen = assumed.includes('couponTypes');
  if (!isOperationName(operation)) return [];
  const schema: Schema = parameterSchemas[operation];
  const pointers = new Set([
    ...parametersIn(body).flatMap((parameters, index) =>
      fieldsBeside(schema, parameters, `/data/${index}/data`, isTypeOpen),
    ),
    ...besideData(body),
  ]);
  const [first] = pointers;
  if (first === undefined) return queryBreach(attempt);
  const subject = first.replace(/^\/data\/\d+\/(?:data\/)?/, '');
  const near = nearMiss({ operation, isTypeOpen }, body, first);
  const hint =
    near === undefined
      ? ''
      : ` ${near.slice(0, 1).toUpperCase()}${near.slice(1)}${near.endsWith('?') ? '' : '.'}`;
  const more = pointers.size === 1 ? '' : ` The same applies to ${pointers.size - 1} more in this call.`;
  return [{ message: `${first} is not a field of ${operation}.${hint}${more}`, subject, calls: [attempt] }];
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
    ...fieldsBeside(onlyData, body),
    ...body['data'].flatMap((element: unknown, index) => fieldsBeside(onlyData, element, `/data/${index}`)),
  ];
}

const onlyData: Schema = { type: 'object', properties: { data: {} } };

function queryBreach(attempt: Attempt): readonly Breach[] {
  const { url, operation, keyElsewhere } = attempt.entry;
  const [, query = ''] = url.split('?');
  // A key in the URL is a violation of its own.
  if (query === '' || keyElsewhere.includes('url')) return [];
  const message = `The query ?${query} is not a part of ${operation}: parameters belong in the body.`;
  return [{ message, subject: 'query', calls: [attempt] }];
}
