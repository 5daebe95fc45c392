/**
 * A client of the sandbox as a Node program: `body` is the inside of a module in which `call(operation, parameters, key)` and
 * `control(method, path, body)` are there, which give the reply's text, and `env`.
 */
export function client(body: string): readonly string[] {
  return ['--', process.execPath, '--input-type=module', '--eval', `${prelude}\n${body}`];
}

const prelude = `
import { appendFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
const { env } = process;
async function call(operation, parameters = {}, key = env.SANDBOX_API_KEY) {
  const headers = { 'Content-Type': 'application/json', ...(key === null ? {} : { 'SERVICE-API-KEY': key }) };
  const body = JSON.stringify({ data: [{ data: parameters }] });
  return (await fetch(env.SANDBOX_URL + '/public/' + operation, { method: 'POST', headers, body })).text();
}
async function control(method, path, body) {
  const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer ' + env.SANDBOX_CONTROL_TOKEN };
  return (await fetch(env.SANDBOX_CONTROL_URL + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })).text();
}
`;
