import { didYouMean } from '../../base/did-you-mean.ts';
import { undocumentedFields as fieldsBeside } from '../../contract/field-options.ts';
import { parameterSchemas } from '../../contract/generated/parameter-schemas.js';
import { isOperationName } from '../../contract/operation-types.ts';
import type { Schema } from '../../contract/openapi.ts';
import type { Breach, Check } from '../check.ts';
import type { Attempt } from '../attempt.ts';

export const undocumentedFields: Check = {
  check: 'undocumented-fields',
  title: 'Sends no fields that are not documented',
  rule: 'Every field of the parameters stands in the contract. Others are passed over today, and may be refused, or mean something, tomorrow. Parameters beyond 64 Ki characters are not looked at.',
  occasion: 'calls with parameters that could be read',
  exercise: 'lp-sandbox exec -- CMD',
  *examine({ attempts }) {
    const breaches: Breach[] = [];
    let occasions = 0;
    for (const attempt of attempts) {
      if (attempt.elements().length > 0) occasions += 1;
      breaches.push(...breachOf(attempt));
      yield;
    }
    return { occasions, breaches };
  },
};

function breachOf(attempt: Attempt): readonly Breach[] {
  const { operation } = attempt.entry;
  if (!isOperationName(operation)) return [];
  const schema: Schema = parameterSchemas[operation];
  const pointers = new Set(attempt.elements().flatMap((parameters, index) => fieldsBeside(schema, parameters, `/data/${index}/data`)));
  const [first] = pointers;
  if (first === undefined) return [];
  const hint = didYouMean(first.split('/').at(-1) ?? '', Object.keys(schema.properties ?? {}));
  const more = pointers.size === 1 ? '' : ` So it is with ${pointers.size - 1} more of the call.`;
  return [{ message: `${first} is no field of ${operation}.${hint}${more}`, calls: [attempt] }];
}
