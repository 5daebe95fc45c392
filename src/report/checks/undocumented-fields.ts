import { isOperationName } from '../../contract/operation-types.ts';
import type { Breach, Check } from '../check.ts';
import type { Attempt } from '../attempt.ts';

export const undocumentedFields: Check = {
  check: 'undocumented-fields',
  title: 'Sends only documented fields',
  rule:
    'The client must send only fields that the contract documents, in the batch and in its parameters, and no query. The service may ignore other fields today, but reject them or give them a meaning later. ' +
    'The check ignores requests of more than 64 Ki characters.',
  basis:
    'The assumption unknownFields: the specification does not say what the service does with other fields. Common conventions 3: `data` is the only field of the request, and of each element.',
  strength: 'should',
  occasion: 'calls with readable parameters',
  exercise: 'lp-sandbox exec -- CMD',
  *examine({ attempts }) {
    const breaches: Breach[] = [];
    let occasions = 0;
    for (const attempt of attempts) {
      if (attempt.size > 0) occasions += 1;
      breaches.push(...breachOf(attempt));
      yield;
    }
    return { occasions, breaches };
  },
};

function breachOf(attempt: Attempt): readonly Breach[] {
  const { undocumented, entry } = attempt;
  if (!isOperationName(entry.operation)) return [];
  return undocumented === null ? queryBreach(attempt) : [{ ...undocumented, calls: [attempt] }];
}

function queryBreach(attempt: Attempt): readonly Breach[] {
  const { url, operation, keyElsewhere } = attempt.entry;
  const [, query = ''] = url.split('?');
  // A key in the URL is a violation of its own.
  if (query === '' || keyElsewhere.includes('url')) return [];
  const message = `The query ?${query} is not a part of ${operation}: parameters belong in the body.`;
  return [{ message, subject: 'query', calls: [attempt] }];
}
