import { assumptions, type AssumptionName } from '../assumptions.ts';
import { sharedErrorsId } from './shared-responses.ts';
import { operationOf, type DocumentedOperation, type OpenApiDocument } from '../contract/openapi.ts';

/** The assumptions of each operation, by its name. */
export type AskedBy = Readonly<Record<string, readonly AssumptionName[]>>;

type Described = DocumentedOperation & {
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly operationId?: string;
};

/**
 * Returns the OpenAPI document for the API reference: its server is the one that serves the page, and each
 * operation lists its rate limit and its assumptions. Responses other than 200, and the headers of responses, are
 * the same for every operation: the page shows them once.
 */
export function referenceDocument(document: OpenApiDocument, asked: AskedBy): object {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const names = asked[operationOf(path)] ?? [];
    const { description = '', tags = [], responses, ...post }: Described = item.post;
    // Swagger UI shows an operation under each of its tags.
    return [
      path,
      {
        ...item,
        post: {
          ...post,
          tags: tags.slice(0, 1),
          responses: ownResponses(responses),
          description: `${description}\n\n${rateLimitOf(post)}${openPoints(names)}`,
          'x-assumptions': names,
        },
      },
    ];
  });
  return {
    ...document,
    servers: [{ url: '/', description: 'This server.' }],
    paths: Object.fromEntries(paths),
  };
}

type Response = DocumentedOperation['responses'][string] & { readonly headers?: object };

/** Returns the responses of an operation without what all operations share. */
function ownResponses(responses: DocumentedOperation['responses']): object {
  const { headers: _shared, ...ok }: Response = responses['200'] ?? {};
  const link = `[the errors of every operation](#${sharedErrorsId})`;
  return { 200: ok, default: { description: `Any other status is a refusal: see ${link}.` } };
}

function rateLimitOf({ 'x-rate-limit': limit }: Pick<DocumentedOperation, 'x-rate-limit'>): string {
  return limit === undefined
    ? ''
    : `**Rate limit:** ${limit.requests} requests in ${limit.windowSeconds} seconds.\n\n`;
}

const general = '[those of every operation](/docs/assumptions#all) (batch, refusals, limits)';

function openPoints(names: readonly AssumptionName[]): string {
  if (names.length === 0) return `**Assumptions:** only ${general}.`;
  return `**Assumptions**, in addition to ${general}:\n\n${names.map(openPoint).join('\n')}`;
}

function openPoint(name: AssumptionName): string {
  const { question, options, default: byDefault } = assumptions[name];
  const others = Object.keys(options).filter((option) => option !== byDefault);
  return `- [${name}](/docs/assumptions#${name}): ${question} default \`${byDefault}\`; other options \`${others.join('`, `')}\`.`;
}

/** Returns the link to an operation in the API reference, with the anchor that Swagger UI creates. */
export function placeOf(document: OpenApiDocument, operation: string): string {
  const { tags = [], operationId = '' }: Described =
    document.paths[`/public/${operation}`]?.post ?? missing(operation);
  return `/docs#/${encodeURIComponent((tags[0] ?? 'default').replaceAll(' ', '_'))}/${operationId}`;
}

function missing(operation: string): never {
  throw new Error(`The contract has no operation ${operation}.`);
}
