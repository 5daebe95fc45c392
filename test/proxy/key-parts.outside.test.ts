import { expect, it } from 'vitest';
import { proxyTo, send, upstreamThat } from './upstream.ts';

const key = 'lp_live_Zx81/Qw+7bTr=kMn~42vGhY';

const each = (form: (code: number) => string): string =>
  Array.from(key, (one) => form(one.charCodeAt(0))).join('');

/** What a service may send instead of the whole key, and how many characters show five of the key. */
const forms: readonly (readonly [text: string, width: number])[] = [
  [key, 5],
  [key.slice(3, 11), 5],
  [key.slice(0, 15), 5],
  [key.slice(15), 5],
  [key.toUpperCase(), 5],
  [key.split('').toReversed().join(''), 5],
  [key.split('').join(' '), 9],
  [key.replaceAll(/(.{4})/g, '$1-'), 7],
  [each((code) => `&#${code};`), 25],
  [each((code) => `\\u00${code.toString(16)}`), 30],
  [each((code) => `%${code.toString(16)}`), 15],
  [encodeURIComponent(encodeURIComponent(key)), 15],
  [Buffer.from(key).toString('hex'), 10],
  [each((code) => `${code},`), 19],
  [each((code) => String.fromCharCode(code + 0xfee0)), 5],
  [each((code) => `${code.toString(2).padStart(8, '0')} `), 45],
  [Buffer.from(`user:${key}`).toString('base64'), 10],
];

function leaksIn(text: string): readonly string[] {
  return forms.flatMap(([form, width]) =>
    Array.from({ length: form.length - width + 1 }, (_, at) => form.slice(at, at + width)).filter((part) =>
      text.includes(part),
    ),
  );
}

const bodies: readonly string[] = [
  JSON.stringify({
    error: forms.map(([form]) => form).join(' | '),
    [key.slice(0, 14)]: key.slice(6),
    echo: { forms: forms.map(([form]) => form) },
  }),
  JSON.stringify([
    {
      output: {
        status: 'ok',
        data: {
          instructors: [],
          [key.slice(4, 16)]: forms.map(([form]) => form),
          calledBy: key,
          forms: Object.fromEntries(forms.map(([form], index) => [form, index])),
        },
      },
    },
  ]),
  JSON.stringify([{ output: { status: key.slice(2, 20), errorMessage: key } }]),
  JSON.stringify([
    {
      output: {
        status: 'ok',
        data: { instructors: [], key: Buffer.from(key), own: Object.fromEntries(Buffer.from(key).entries()) },
      },
    },
  ]),
];

it('has no part of five or more characters in anything that is stored, shown or written', async () => {
  let body = '';
  const upstream = await upstreamThat((response) => {
    response.writeHead(body.startsWith('{') ? 401 : 200, {
      'content-type': 'application/json',
      'set-cookie': `half=${encodeURIComponent(key.slice(5, 20))}`,
      'www-authenticate': `ApiKey realm="${key}"`,
      'x-half': key.slice(15),
      [`x-${key.slice(8, 12)}-${key.slice(17, 20)}`]: key.slice(0, 12),
    });
    response.end(body);
  });
  const proxy = await proxyTo(upstream.url, {}, { log: 'json' });
  for (body of bodies)
    await send(proxy.url, {
      path: `/public/get-all-instructors?part=${key.slice(8, 16)}`,
      headers: {
        'SERVICE-API-KEY': key,
        'X-Note': forms
          .map(([form]) => form)
          .filter((form) => /^[ -~]*$/.test(form))
          .join(' '),
      },
      body: JSON.stringify({ data: [{ data: { [key.slice(4, 16)]: key.slice(9, 28) } }, key.slice(7)] }),
    });
  const control = `${proxy.url}/control/sandboxes/default`;
  for (const output of ['journal', 'journal.har', 'report', 'report.html', 'report.md', 'report.junit.xml']) {
    const text = await (await fetch(`${control}/${output}`)).text();
    expect(text.length).toBeGreaterThan(1000);
    expect([output, leaksIn(text)]).toEqual([output, []]);
  }
  expect(leaksIn(proxy.said())).toEqual([]);
  const [first] = proxy.journal();
  // Enough is left to tell keys apart, and the rest of a body is stored as it is.
  expect(first?.requestHeaders['service-api-key']).toBe('lp_l…hY');
  expect(JSON.parse(first?.response ?? '')).toMatchObject({ echo: { forms: { length: forms.length } } });
});
