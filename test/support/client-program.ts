/**
 * A client of the sandbox as a Node program: `body` is the inside of a module in which `call(operation,
 * parameters, key)` and `control(method, path, body)` are there, which give the reply's text, and `env`.
 */
export function client(body: string): readonly string[] {
  return ['--', process.execPath, '--input-type=module', '--eval', `${prelude}\n${body}`];
}

/** Not `fetch`: loading that takes a program longer than all the rest of it. */
const prelude = `
import { appendFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
const { env } = process;
function send(url, method, headers, body) {
  return new Promise((done, fail) => {
    const sent = request(url, { method, headers: { 'Content-Type': 'application/json', ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => (text += piece)).once('end', () => done(text)).once('error', fail);
    });
    sent.once('error', fail).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
function call(operation, parameters = {}, key = env.SANDBOX_API_KEY) {
  const headers = key === null ? {} : { 'SERVICE-API-KEY': key };
  return send(env.SANDBOX_URL + '/public/' + operation, 'POST', headers, { data: [{ data: parameters }] });
}
function control(method, path, body) {
  return send(env.SANDBOX_CONTROL_URL + path, method, { Authorization: 'Bearer ' + env.SANDBOX_CONTROL_TOKEN }, body);
}
`;
