import type { ValidateFunction } from 'ajv';
import type { Response, Test } from 'supertest';
import { createAjv } from '../../src/contract/compile.ts';
import { readDocument } from '../../src/contract/document.ts';
import type { NewSandbox } from '../../src/index.ts';
import { checked, supertest } from './supertest.ts';
import { sharedServer, world, type World } from './world.ts';

export const controlMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type ControlMethod = (typeof controlMethods)[number];

type Content = Readonly<
  Record<
    string,
    {
      readonly schema: { readonly $ref?: string };
      readonly examples?: Readonly<Record<string, { value: unknown }>>;
    }
  >
>;
interface Referring {
  readonly $ref?: string;
}
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly example?: string;
}
interface DocumentedReply {
  readonly content?: Content;
}
interface DocumentedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Referring & DocumentedReply>>;
}
interface ControlDocument {
  readonly paths: Readonly<Record<string, Partial<Record<Lowercase<ControlMethod>, DocumentedOperation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, DocumentedReply>>;
    readonly schemas: object;
  };
}

// `readDocument` types what the server reads of a document; a test looks further.
const document = readDocument('control') as unknown as ControlDocument;

/** One operation of the control plane as `openapi/control.yaml` has it. */
export interface ControlOperation extends DocumentedOperation {
  readonly method: ControlMethod;
  /** With its parameters in braces. */
  readonly path: string;
  /** With the examples of its parameters. */
  readonly examplePath: string;
  /** The only status of success. */
  readonly success: number;
  /** The media type of its response; empty if it has no content. */
  readonly type: string;
}

export const controlOperations: readonly ControlOperation[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    controlMethods.flatMap((method) => {
      // The names of HTTP's methods are ASCII.
      const operation = methods[method.toLowerCase() as Lowercase<ControlMethod>];
      if (operation === undefined) return [];
      const success = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
      if (success.length !== 1)
        throw new Error(
          `${method} ${path} must have just one status of success, but has ${success.join(', ')}.`,
        );
      const [type = ''] = Object.keys(operation.responses[success[0] ?? '']?.content ?? {});
      return [
        { ...operation, method, path, examplePath: withExamples(path), success: Number(success[0]), type },
      ];
    }),
);

function withExamples(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { example } = document.components.parameters[name] ?? {};
    if (example === undefined) throw new Error(`The parameter ${name} of ${path} has no example.`);
    return example;
  });
}

const mostLiteralFirst = controlOperations
  .map((operation) => ({ operation, parts: operation.path.split('/') }))
  .toSorted((one, other) => one.operation.path.split('{').length - other.operation.path.split('{').length);

/** The operation that answers a request: the one with the most that is literally so. */
function operationAt(method: string, target: string): ControlOperation | undefined {
  const given = (target.split('?')[0] ?? '').split('/');
  return mostLiteralFirst.find(
    ({ operation, parts }) =>
      operation.method === method &&
      parts.length === given.length &&
      parts.every((part, place) => part.startsWith('{') || part === given[place]),
  )?.operation;
}

const address = 'https://control.example/';
const ajv = createAjv();
ajv.addSchema({ $id: address, $defs: pointing('', document.components.schemas) });
const known = new Map<string, ValidateFunction>();

/**
 * Throws unless the reply is one that `openapi/control.yaml` describes: its status, its content type, and its
 * body.
 */
export function expectDocumented(method: string, target: string, { status, headers, text }: Response): void {
  const operation = operationAt(method, target);
  // Nothing describes what is not there; it is answered with a problem all the same.
  const reply = operation === undefined ? { $ref: 'Problem' } : operation.responses[status];
  if (reply === undefined)
    throw new Error(
      `openapi/control.yaml does not describe status ${status} of ${method} ${target}: ${text}`,
    );
  const { content = {} } =
    reply.$ref === undefined
      ? reply
      : (document.components.responses[reply.$ref.split('/').at(-1) ?? ''] ?? {});
  const type = (headers['content-type'] ?? '').split(';')[0] ?? '';
  if (Object.keys(content).length === 0) {
    if (text !== '' || type !== '')
      throw new Error(`${method} ${target} must have no content, but has ${type} ${text}`);
    return;
  }
  const schema = content[type]?.schema;
  if (schema === undefined)
    throw new Error(
      `openapi/control.yaml does not describe ${type} with status ${status} of ${method} ${target}.`,
    );
  if (!type.endsWith('json')) return;
  const name = `${operation?.operationId} ${status} ${type}`;
  const validate = known.get(name) ?? ajv.compile(pointing(address, schema));
  known.set(name, validate);
  const body: unknown = JSON.parse(text);
  if (!validate(body))
    throw new Error(
      `${method} ${target} breaks its contract: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 2000)}`,
    );
  if (type === 'application/problem+json' && (body as { status: unknown }).status !== status)
    throw new Error(`The problem tells another status than ${status}: ${text}`);
}

/**
 * Throws unless the value fits a schema of `openapi/control.yaml`, such as one of a file that a command
 * writes.
 */
export function expectFits(schema: string, value: unknown): void {
  const validate = known.get(schema) ?? ajv.compile({ $ref: `${address}#/$defs/${schema}` });
  known.set(schema, validate);
  if (!validate(value))
    throw new Error(
      `It is no ${schema}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 2000)}`,
    );
}

/**
 * The schema with its references inside the document turned into references to the definitions at an address.
 */
function pointing(to: string, schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', `"${to}#/$defs/`)) as object;
}

/**
 * A request to the control plane of the server at a URL, with a body where one is given. Its reply is held
 * against the contract.
 */
export function askControl(url: string, method: ControlMethod, target: string, body?: unknown): Test {
  // The names of HTTP's methods are ASCII.
  const asked = supertest(url)[method.toLowerCase() as Lowercase<ControlMethod>](target);
  checked(asked, (reply) => expectDocumented(method, target, reply));
  return body === undefined
    ? asked
    : asked.set('Content-Type', 'application/json').send(JSON.stringify(body));
}

/** A sandbox of its own, and its part of the control plane over HTTP. */
export interface ControlledWorld extends World {
  /** `path` begins behind the sandbox's id. */
  ask(method: ControlMethod, path: string, body?: unknown): Test;
}

export async function controlled(request: NewSandbox = {}): Promise<ControlledWorld> {
  const made = await world(request);
  return {
    ...made,
    ask: (method, path, body) =>
      askControl(made.url, method, `/control/sandboxes/${made.sandbox.id}${path}`, body),
  };
}

/** The same for what is about no sandbox; `path` begins behind `/control`. */
export async function ask(method: ControlMethod, path: string, body?: unknown): Promise<Response> {
  return askControl((await sharedServer()).url, method, `/control${path}`, body);
}
