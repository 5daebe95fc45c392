import { STATUS_CODES } from 'node:http';
import {
  bodyText,
  demoKey,
  throttledKey,
  type ContractExamples,
  type Exchange,
  type Exemplified,
} from './contract-examples.ts';

/** Identifies the collection: when a newer version is imported, it replaces the older one. */
const collectionId = '3f6d2c7e-5b1a-4e0c-9a47-8d21c0b6e513';

/**
 * The examples of the contract as a Postman collection v2.1: folders by tag and operation, each example is a
 * request with its response and a test.
 */
export function postmanCollection(contract: ContractExamples): object {
  const { title, summary, baseUrl, header } = contract;
  return {
    info: {
      _postman_id: collectionId,
      name: title,
      description: `${summary}\n\nEvery request is an example of the contract, with the response of a new sandbox, and tests of its status and its outcomes. Every run has the same results, as long as it stays within the rate limits.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: keyed(header, '{{apiKey}}'),
    variable: [
      { key: 'baseUrl', value: baseUrl, type: 'string', description: 'The URL of the server.' },
      {
        key: 'apiKey',
        value: demoKey,
        type: 'string',
        description: 'The key of a school: sbx_<sandbox>_<school>.',
      },
      {
        key: 'throttledApiKey',
        value: throttledKey,
        type: 'string',
        description: 'For the requests that exceed a rate limit: a separate sandbox.',
      },
    ],
    item: contract.tags.map(({ name, description }) => ({
      name,
      description,
      item: contract.operations
        .filter(({ tag }) => tag === name)
        .map((operation) => operationFolder(operation, contract)),
    })),
  };
}

function operationFolder(operation: Exemplified, { header }: ContractExamples): object {
  const { summary, description, limit } = operation;
  const told =
    limit === null
      ? 'Its rate limit is not shown.'
      : `Rate limit: ${limit.requests} calls in ${limit.windowSeconds} seconds.`;
  return {
    name: summary,
    description: `${description}\n\n${told}`,
    item: operation.exchanges.map((exchange) => requestItem(operation, exchange, header)),
  };
}

function requestItem(operation: Exemplified, exchange: Exchange, header: string): object {
  const { summary, description, callsBefore } = exchange;
  const own = callsBefore === 0 ? {} : { auth: keyed(header, '{{throttledApiKey}}') };
  const before = callsBefore === 0 ? [] : [script('prerequest', callsFirst(operation, exchange, header))];
  const request = requestOf(operation, exchange);
  return {
    name: summary,
    event: [...before, script('test', checks(exchange))],
    request: { ...own, ...request, ...(description === null ? {} : { description }) },
    response: [answer(exchange, request)],
  };
}

function requestOf({ path }: Exemplified, { request }: Exchange): object {
  return {
    method: 'POST',
    header: [{ key: 'Content-Type', value: 'application/json' }],
    body: { mode: 'raw', raw: bodyText(request), options: { raw: { language: 'json' } } },
    url: { raw: `{{baseUrl}}${path}`, host: ['{{baseUrl}}'], path: path.slice(1).split('/') },
  };
}

function answer({ summary, status, response }: Exchange, request: object): object {
  return {
    name: summary,
    originalRequest: request,
    status: STATUS_CODES[status],
    code: status,
    _postman_previewlanguage: 'json',
    header: [{ key: 'Content-Type', value: 'application/json' }],
    cookie: [],
    body: JSON.stringify(response, null, 2),
  };
}

/** The header of the key. */
function keyed(header: string, value: string): object {
  const attributes = { key: header, value, in: 'header' };
  return {
    type: 'apikey',
    apikey: Object.entries(attributes).map(([key, attribute]) => ({ key, value: attribute, type: 'string' })),
  };
}

function script(listen: 'prerequest' | 'test', exec: readonly string[]): object {
  return { listen, script: { type: 'text/javascript', exec } };
}

function checks({ status, response }: Exchange): readonly string[] {
  const outcomes = response.map(({ output }) => output.status);
  return [
    `pm.test('returns HTTP ${status}', () => {`,
    `  pm.response.to.have.status(${status});`,
    '});',
    `pm.test('has the outcome ${outcomes.join(', ')}', () => {`,
    `  const outcomes = pm.response.json().map(({ output }) => output.status);`,
    `  pm.expect(outcomes).to.eql(${JSON.stringify(outcomes)});`,
    '});',
  ];
}

/** Sends the request as often as the limit allows, so that the next one exceeds the limit. */
function callsFirst(
  { path }: Exemplified,
  { request, callsBefore }: Exchange,
  header: string,
): readonly string[] {
  return [
    `// First reaches the limit with ${callsBefore} calls. They have a separate key, so that the other requests are not throttled.`,
    'const call = {',
    `  url: pm.variables.replaceIn('{{baseUrl}}${path}'),`,
    "  method: 'POST',",
    `  header: { 'Content-Type': 'application/json', '${header}': pm.variables.get('throttledApiKey') },`,
    `  body: { mode: 'raw', raw: ${JSON.stringify(JSON.stringify(request))} },`,
    '};',
    'const send = (left) => left > 0 && pm.sendRequest(call, () => send(left - 1));',
    `send(${callsBefore});`,
  ];
}
