import { workDay } from '../kit/day.ts';
import type { Context } from '../kit/api.ts';
import type { Bad } from '../spec.ts';
import { goodSend, quiet, withRequests } from './vary.ts';

function header(name: string, value: (key: string) => string): Bad['run'] {
  return withRequests((request, { key }) => ({
    ...request,
    headers: { ...request.headers, [name]: value(key) },
  }));
}

function path(change: (path: string, context: Context) => string): Bad['run'] {
  return withRequests((request, context) => {
    const url = new URL(request.url);
    return { ...request, url: `${url.origin}${change(url.pathname, context)}` };
  });
}

function eachElement(extra: object): Bad['run'] {
  return withRequests(({ body, ...request }) => {
    // Our own request.
    const { data } = JSON.parse(body) as { data: { data: object }[] };
    return {
      ...request,
      body: JSON.stringify({ data: data.map((item) => ({ data: { ...item.data, ...extra } })) }),
    };
  });
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const encoded = (text: string): string => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&');
const list = '/public/list-assignments';

function bad(name: string, check: string, is: string, run: Bad['run']): Bad {
  return { name, check, is, under: quiet, run };
}

/** Sends the key in a header with this name, or, with null, in none. */
function keyIn(name: string | null): Bad['run'] {
  return withRequests((request, { key }) => {
    const others = Object.entries(request.headers).filter(([own]) => own.toLowerCase() !== 'service-api-key');
    const own: readonly (readonly [string, string])[] = name === null ? [] : [[name, key]];
    return { ...request, headers: Object.fromEntries([...others, ...own]) };
  });
}

export const badRequests: readonly Bad[] = [
  bad('no-key', 'violations', 'Never sends the key.', keyIn(null)),
  bad(
    'misspelled-key-header',
    'violations',
    'Misspells the name of the key header.',
    keyIn('SERVICE-API-KYE'),
  ),
  bad(
    'wrong-path',
    'violations',
    'Calls a path with a typing mistake.',
    path((own) => own.replace('details', 'detials')),
  ),
  bad(
    'wrong-case',
    'violations',
    'Writes an operation in upper case.',
    path((own) => own.replace('get-all', 'Get-All')),
  ),
  bad(
    'no-prefix',
    'violations',
    'Leaves out /public before an operation.',
    path((own) => (own === list ? own.slice(7) : own)),
  ),
  bad(
    'wrong-method',
    'violations',
    'Reads with GET.',
    withRequests((request) => ({ ...request, method: request.url.endsWith(list) ? 'GET' : 'POST' })),
  ),
  bad(
    'puts-updates',
    'violations',
    'Updates with PUT.',
    withRequests((request) => ({ ...request, method: request.url.includes('update') ? 'PUT' : 'POST' })),
  ),
  bad(
    'not-a-batch',
    'violations',
    'Sends one element without the batch around it.',
    withRequests(({ body, ...request }) => ({
      ...request,
      body: request.url.endsWith(list) ? body.replace('{"data":[', '').replace(/\]\}$/, '') : body,
    })),
  ),
  bad(
    'wrong-type',
    'violations',
    'Sends a number as text.',
    withRequests(({ body, ...request }) => ({
      ...request,
      body: body.replace(/"pageNumber":(\d)/, '"pageNumber":"$1"'),
    })),
  ),
  bad(
    'other-fields',
    'undocumented-fields',
    'Sends a field that is not documented.',
    eachElement({ traceId: 'a-17' }),
  ),
  bad(
    'fields-beside-data',
    'undocumented-fields',
    'Sends a field beside the data of each element.',
    withRequests(({ body, ...request }) => ({
      ...request,
      body: body.replaceAll('{"data":{', '{"id":7,"data":{'),
    })),
  ),
  bad(
    'page-in-query',
    'undocumented-fields',
    'Sends a page number in the query.',
    path((own) => `${own}?page=1`),
  ),
  bad(
    'key-in-query',
    'key-secrecy',
    'Also sends the key in the query.',
    path((own, { key }) => `${own}?api_key=${key}`),
  ),
  bad('key-in-body', 'key-secrecy', 'Also sends the key in the parameters.', (context) =>
    workDay(
      context,
      goodSend(
        context,
        {},
        {
          change: ({ body, ...request }) => ({
            ...request,
            body: body.replace('{"data":{', `{"data":{"apiKey":"${context.key}",`).replace(',}', '}'),
          }),
        },
      ),
    ),
  ),
  bad('key-in-body-in-base64', 'key-secrecy', 'Sends the base64-encoded key as a search term.', (context) =>
    goodSend(context)('get-video-library', [
      { filterTerm: base64(context.key), pageNumber: 1, folderPath: '/' },
    ]).then(() => undefined),
  ),
  bad(
    'key-in-authorization',
    'key-secrecy',
    'Also sends the key as a bearer token.',
    header('Authorization', (key) => `Bearer ${key}`),
  ),
  bad(
    'key-in-basic',
    'key-secrecy',
    'Sends the key as a user name, base64-encoded.',
    header('Authorization', (key) => `Basic ${base64(`${key}:`)}`),
  ),
  bad(
    'key-in-cookie',
    'key-secrecy',
    'Also sends the key in a cookie.',
    header('Cookie', (key) => `session=${key}`),
  ),
  bad(
    'key-in-x-api-key',
    'key-secrecy',
    'Also sends the key as X-Api-Key.',
    header('X-Api-Key', (key) => key),
  ),
  bad(
    'key-in-referer',
    'key-secrecy',
    'Sends the address of a page that has the key in its query.',
    header('Referer', (key) => `https://admin.riverside-academy.example/?key=${key}`),
  ),
  bad(
    'key-percent-encoded',
    'key-secrecy',
    'Sends the key percent-encoded in the query.',
    path((own, { key }) => `${own}?k=${encoded(key)}`),
  ),
  bad(
    'key-in-unmatched-path',
    'key-secrecy',
    'Sends the key in a path that does not exist.',
    path((own, { key }) => (own === list ? `/${key}${own}` : own)),
  ),
];
