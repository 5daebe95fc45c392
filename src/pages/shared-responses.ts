import { Markup, markup, nothing } from '../base/markup.ts';
import { escapedXml } from '../base/escape.ts';
import type { OpenApiDocument } from '../contract/openapi.ts';
import { table } from '../report/render/html-parts.ts';

/** The anchor of the section on the errors of every operation. */
export const sharedErrorsId = 'errors';

/** A response or header of the contract, as it is described. */
interface Described {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, Described>>;
  readonly content?: Readonly<Record<string, { readonly examples?: Readonly<Record<string, Example>> }>>;
}

interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

/** Returns the section on what every operation can return besides its output, which is shown once. */
export function sharedResponsesSection(document: OpenApiDocument): Markup {
  const operations = Object.values(document.paths).map(({ post }) => post);
  const all = operations.flatMap(({ responses }) => Object.entries<Described>(responses));
  const errors = new Map(
    all
      .filter(([status]) => status !== '200')
      .toReversed()
      .map(([status, response]) => [status, found(document, response)]),
  );
  const headers = new Map(
    all.flatMap(([, response]) => Object.entries(found(document, response).headers ?? {})),
  );
  const statuses = [...errors].toSorted(([one], [other]) => Number(one) - Number(other));
  const example = all
    .filter(([status]) => status !== '200')
    .flatMap(([, { content }]) => Object.values(content?.['application/json']?.examples ?? {}))
    .at(0);
  return markup`<section id="${sharedErrorsId}" aria-labelledby="errors-title">
<h2 id="errors-title">Errors of every operation</h2>
<p>A refusal is a call that no operation has processed. Its format is the same for every operation. The specification does not define it: the assumption
<a href="/docs/assumptions#refusalBody"><code>refusalBody</code></a> selects it. A failure of a single element is part of a response with status 200 instead.</p>
${example === undefined ? nothing : markup`<pre tabindex="0" aria-label="A refusal">${JSON.stringify(example.value, null, 2)}</pre>`}
${table('Statuses of refusals', ['Status', 'When'], rows(statuses, document))}
<h3>Headers of responses</h3>
${table('Headers of responses', ['Header', 'Meaning'], rows([...headers], document))}
</section>`;
}

function rows(entries: readonly (readonly [string, Described])[], document: OpenApiDocument): Markup {
  return markup`<tbody>${entries.map(
    ([name, described]) =>
      markup`<tr><th scope="row"><code>${name}</code></th><td>${withCode(found(document, described).description ?? '')}</td></tr>`,
  )}</tbody>`;
}

/** Follows the reference of a response or header. */
function found(document: OpenApiDocument, described: Described): Described {
  const [, kind = '', name = ''] = /^#\/components\/([^/]+)\/([^/]+)$/.exec(described.$ref ?? '') ?? [];
  if (kind === '') return described;
  const components: Readonly<Record<string, Readonly<Record<string, Described>>>> = document.components;
  const target = components[kind]?.[name];
  if (target === undefined)
    throw new Error(`The contract refers to ${described.$ref}, which does not exist.`);
  return target;
}

/** Returns a text of Markdown whose only markup is code. */
function withCode(text: string): Markup {
  return new Markup(escapedXml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>'));
}
