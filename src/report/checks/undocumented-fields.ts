import { didYouMean } from '../../base/did-you-mean.ts';
import { undocumentedFields as fieldsBeside } from '../../contract/field-options.ts';
import { parameterSchemas } from '../../contract/generated/parameter-schemas.js';
import { isOperationName } from '../../contract/operation-types.ts';
import type { Schema } from '../../contract/openapi.ts';
import type { Breach, Check } from '../check.ts';
import type { Attempt } from '../attempt.ts';

export const undocumentedFields: Check = {
  check: 'undocumented-fields',
  title: 'Sends only documented fields',
  rule: 'The contract must document every field of the parameters. The service may ignore other fields today, but reject them or give them a meaning later. The check ignores parameters beyond 64 Ki characters.',
  basis:
    'The assumption unknownFields: the specification does not say what the service does with other fields.',
  strength: 'should',
  occasion: 'calls with readable parameters',
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
  const pointers = new Set(
    attempt
      .elements()
      .flatMap((parameters, index) => fieldsBeside(schema, parameters, `/data/${index}/data`)),
  );
  const [first] = pointers;
  if (first === undefined) return [];
  const subject = first.replace(/^\/data\/\d+\/data\//, '');
  const hint = didYouMean(first.split('/').at(-1) ?? '', Object.keys(schema.properties ?? {}));
  const more = pointers.size === 1 ? '' : ` The same applies to ${pointers.size - 1} more in this call.`;
  return [{ message: `${first} is not a field of ${operation}.${hint}${more}`, subject, calls: [attempt] }];
}
