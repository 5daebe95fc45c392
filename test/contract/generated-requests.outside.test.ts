import { createGeneratorSync, type JsonSchema } from 'json-schema-faker';
import { describe, expect, it } from 'vitest';
import { createAjv } from '../../src/contract/compile.ts';
import { contract as document } from '../support/documents.ts';
import { operationNames, type OperationName } from '../../src/contract/operation-types.ts';
import { coupon, instructors, items, labId, learner, products, quiz, sessions } from '../support/demo.ts';
import { requestExamples } from '../support/examples.ts';
import { outputsOf, world, type World } from '../support/world.ts';

type SchemaObject = Exclude<JsonSchema, boolean>;

const requestsPerOperation = 40;
const ajv = createAjv();

/** The schema of an operation's requests, with every `$ref` written out. */
function requestSchema(operation: OperationName): SchemaObject {
  return writtenOut(
    document.paths[`/public/${operation}`]?.post.requestBody.content['application/json']?.schema ?? {},
  );
}

/** The contract's schemas do not refer to themselves, so this ends. */
function writtenOut(schema: object): SchemaObject {
  const text = JSON.stringify(schema, (_, value: unknown) => {
    const target =
      typeof value === 'object' && value !== null && '$ref' in value ? String(value.$ref) : undefined;
    return target === undefined
      ? value
      : writtenOut(document.components.schemas[target.split('/').at(-1) ?? ''] ?? {});
  });
  return JSON.parse(text) as SchemaObject;
}

/** The ids in the examples of requests, by the parameter that takes them. */
function idsInExamples(): Readonly<Record<string, readonly string[]>> {
  const ids: Record<string, string[]> = {};
  for (const operation of operationNames)
    JSON.stringify(Object.values(requestExamples(operation)), (name: string, value: unknown) => {
      if (typeof value === 'string' && name.endsWith('Id')) (ids[name] ??= []).push(value);
      return value;
    });
  return ids;
}

/** Values that name records of Riverside, by the parameter that takes them. */
const known: Readonly<Record<string, readonly string[]>> = {
  ...idsInExamples(),
  quizId: [quiz.id],
  serviceCouponCodeId: [coupon.id],
  serviceDigitalProductId: [coupon.productId],
  labId: [labId],
  courseItemId: [quiz.itemId, items.article, items.draft],
  userId: [learner.id],
  questionUniqueId: [quiz.single.id, quiz.multi.id],
  instructorEmail: [instructors.riverside.email, instructors.hillcrest.email, instructors.both.email],
  folderPath: ['/Biology', '/Programming/Week 1'],
  liveEventSessionId: Object.values(sessions),
  digitalProductId: [products.python, products.withoutAssignments],
};

/** The schema where parameters that name records take the seed's only, so that operations get further than to miss them. */
function aboutTheSeed(schema: SchemaObject): SchemaObject {
  const text = JSON.stringify(schema, (name: string, value: unknown) => {
    const values = known[name];
    return values === undefined || typeof value !== 'object' ? value : { ...value, enum: values };
  });
  return JSON.parse(text) as SchemaObject;
}

interface Envelope {
  readonly data: readonly unknown[];
}

function generate(schema: SchemaObject, seed: number): readonly Envelope[] {
  const fits = ajv.compile(schema);
  const generator = createGeneratorSync({
    seed,
    maxDepth: 20,
    maxDefaultItems: 3,
    optionalsProbability: 0.7,
  });
  // That they are envelopes is what the next line finds out.
  const requests = Array.from({ length: requestsPerOperation }, () => generator.generate(schema) as Envelope);
  expect(requests.filter((request) => !fits(request))).toEqual([]);
  return requests;
}

/** Sends each request, a window apart; `world` holds each answer against the contract. Returns the messages of the failures. */
async function send(
  { post, sandbox }: World,
  operation: OperationName,
  requests: readonly Envelope[],
): Promise<readonly string[]> {
  const messages: string[] = [];
  for (const request of requests) {
    const response = await post(operation).set('SERVICE-API-KEY', sandbox.apiKey('riverside')).send(request);
    expect({ request, status: response.status }).toEqual({ request, status: 200 });
    expect(outputsOf(response)).toHaveLength(request.data.length);
    for (const output of outputsOf(response))
      messages.push(...(output.status === 'error' ? [output.errorMessage] : ['ok']));
    await sandbox.clock.advance({ seconds: 61 });
  }
  return messages;
}

describe.each(operationNames)('requests to %s made from its schema', (operation) => {
  const seed = operationNames.indexOf(operation) + 1;

  it('are answered as the contract says, and never called invalid', async () => {
    const answers = await send(await world(), operation, generate(requestSchema(operation), seed));
    expect(answers.length).toBeGreaterThan(requestsPerOperation / 2);
    expect(answers.filter((answer) => answer.startsWith('The parameters are invalid.'))).toEqual([]);
  });

  it('are answered so where they name records that exist, and some succeed', async () => {
    const answers = await send(
      await world(),
      operation,
      generate(aboutTheSeed(requestSchema(operation)), seed),
    );
    expect(
      answers,
      `No generated request to ${operation} succeeds. The examples of the contract need the id of a record that is there, or \`known\` does.`,
    ).toContain('ok');
    expect(answers.filter((answer) => answer.startsWith('The parameters are invalid.'))).toEqual([]);
  });
});
