import type { ValidateFunction } from 'ajv';
import type { Response } from 'supertest';
import { createAjv } from '../../src/contract/compile.ts';
import { contract as document } from './documents.ts';

const address = 'https://contract.example/';
const ajv = createAjv();
ajv.addSchema({ $id: address, $defs: pointing('', document.components.schemas) });
const known = new Map<string, ValidateFunction>();

/**
 * Throws unless the reply is one that the contract describes: its status, its headers about limits, its content type,
 * and its body.
 */
export function expectContractual(operation: string, { status, headers, body }: Response): void {
  // `readDocument` types what the server reads; a test looks further.
  const documented = document.paths[`/public/${operation}`] as unknown as
    { post: DocumentedReplies } | undefined;
  if (documented === undefined) return;
  const reply = resolveReply(documented.post.responses[status]);
  if (reply === undefined)
    throw new Error(`The contract does not describe status ${status} of ${operation}.`);
  const described = new Set(Object.keys(reply.headers).map((name) => name.toLowerCase()));
  const header = Object.keys(headers).find((name) => ofLimits.test(name) && !described.has(name));
  if (header !== undefined)
    throw new Error(`The contract does not describe ${header} with status ${status} of ${operation}.`);
  const type = (headers['content-type'] ?? '').split(';')[0] ?? '';
  if (type === '' && headers['content-length'] === '0') return;
  const schema = reply.content[type]?.schema;
  if (schema === undefined)
    throw new Error(`The contract does not describe ${type} with status ${status} of ${operation}.`);
  if (!type.endsWith('json')) return;
  const validate = validator(`${operation} ${status} ${type}`, schema);
  if (!validate(body))
    throw new Error(`${operation} breaks the contract: ${ajv.errorsText(validate.errors)}`);
}

/** The headers of rate limits. */
const ofLimits = /^(?:retry-after$|(?:x-)?ratelimit)/;

interface DocumentedReply {
  readonly $ref?: string;
  readonly headers: Readonly<Record<string, object>>;
  readonly content: Readonly<Record<string, { readonly schema: object }>>;
}
interface DocumentedReplies {
  readonly responses: Readonly<Record<string, DocumentedReply>>;
}

function resolveReply(reply: DocumentedReply | undefined): DocumentedReply | undefined {
  const name = reply?.$ref?.split('/').at(-1);
  if (name === undefined) return reply;
  return (document.components as unknown as { responses: Record<string, DocumentedReply> }).responses[name];
}

function validator(name: string, schema: object): ValidateFunction {
  const compiled = known.get(name) ?? ajv.compile(pointing(address, schema));
  known.set(name, compiled);
  return compiled;
}

/**
 * The schema with its references inside the document turned into references to the definitions at an address.
 */
function pointing(to: string, schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', `"${to}#/$defs/`)) as object;
}
