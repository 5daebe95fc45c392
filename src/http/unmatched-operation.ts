import type { Explanation, UnmatchedRequest } from '../answer/unmatched.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { callPrefix, isCall } from '../base/request-target.ts';
import { operationNames, type OperationName } from '../contract/operation-types.ts';
import { isPreflight } from '../answer/cors.ts';

export function unknownOperation(path: string): Explanation {
  const name = isCall(path) ? path.slice(callPrefix.length) : path;
  const hint = didYouMean(name, operationNames);
  const detail = `There is no operation ${JSON.stringify(name)}.${hint} The operations are ${operationNames.join(', ')}.`;
  return { kind: 'unknown-path', title: 'No such operation', detail };
}

export function wrongMethod(name: OperationName, request: UnmatchedRequest): Explanation {
  const why = isPreflight(request)
    ? ' Browsers send OPTIONS before a page from another origin calls an API (CORS). This API does not support CORS, because a page would expose its API key to its users. Call the operation from a server. To test a page anyway, start the sandbox with --assume cors=any-origin.'
    : '';
  const detail = `The operation ${name} accepts only POST, not ${request.method}.${why}`;
  return { kind: 'wrong-method', title: 'Wrong method', detail };
}
