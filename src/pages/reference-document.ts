import { assumptions, type AssumptionName } from '../assumptions.ts';
import { operationOf, type DocumentedOperation, type OpenApiDocument } from '../contract/openapi.ts';

/** Which assumptions an operation asks, by the operation's name. */
export type AskedBy = Readonly<Record<string, readonly AssumptionName[]>>;

type Described = DocumentedOperation & { readonly description?: string; readonly tags?: readonly string[]; readonly operationId?: string };

/** The contract as the reference shows it: calls go to the server that the page is from, and each operation names what is open about it. */
export function referenceDocument(document: OpenApiDocument, asked: AskedBy): object {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const names = asked[operationOf(path)] ?? [];
    const { description = '', tags = [], ...post }: Described = item.post;
    // Swagger UI shows an operation under each of its tags.
    return [
      path,
      { ...item, post: { ...post, tags: tags.slice(0, 1), description: `${description}\n\n${openPoints(names)}`, 'x-assumptions': names } },
    ];
  });
  return { ...document, servers: [{ url: '/', description: 'This server.' }], paths: Object.fromEntries(paths) };
}

const asElsewhere = 'what is [open for every operation](/docs/assumptions#all): the batch, refusals, limits';

function openPoints(names: readonly AssumptionName[]): string {
  if (names.length === 0) return `**Assumptions here:** none but ${asElsewhere}.`;
  return `**Assumptions here**, beside ${asElsewhere}:\n\n${names.map(openPoint).join('\n')}`;
}

function openPoint(name: AssumptionName): string {
  const { question, options, default: byDefault } = assumptions[name];
  const others = Object.keys(options).filter((option) => option !== byDefault);
  return `- [${name}](/docs/assumptions#${name}): ${question} \`${byDefault}\` by default; else \`${others.join('`, `')}\`.`;
}

/** Where the reference shows an operation, as Swagger UI names the places of its page. */
export function placeOf(document: OpenApiDocument, operation: string): string {
  const { tags = [], operationId = '' }: Described = document.paths[`/public/${operation}`]?.post ?? missing(operation);
  return `/docs#/${encodeURIComponent((tags[0] ?? 'default').replaceAll(' ', '_'))}/${operationId}`;
}

function missing(operation: string): never {
  throw new Error(`The contract has no operation ${operation}.`);
}
