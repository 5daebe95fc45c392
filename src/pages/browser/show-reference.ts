import { chooseSender } from './choose-sender.ts';
import { swaggerPlugin } from './swagger-plugin.ts';

/** Shows a contract with Swagger UI, which the page loads before this script. */
interface SwaggerUi {
  preauthorizeApiKey(scheme: string, key: string): void;
}
declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => SwaggerUi;

const place = document.getElementById('reference');
const dark = matchMedia('(prefers-color-scheme: dark)');

function followScheme(): void {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}

/** Adds accessible names and keyboard access where Swagger UI lacks them. */
function complete(shown: HTMLElement): void {
  for (const select of shown.querySelectorAll('select:not([aria-label])'))
    select.setAttribute('aria-label', 'Example');
  for (const area of shown.querySelectorAll('textarea:not([aria-label])'))
    area.setAttribute('aria-label', 'Request body');
  for (const heading of shown.querySelectorAll('h1, h2, h3, h4, h5'))
    heading.setAttribute('aria-level', String(levelOf(heading)));
  for (const code of shown.querySelectorAll('pre:not([tabindex])')) code.setAttribute('tabindex', '0');
}

/** Returns the level of a heading below the title of the page. Those of Swagger UI skip levels. */
function levelOf({ tagName, parentElement }: Element): number {
  const level = Number(tagName.slice(1));
  const isDescription = parentElement?.closest('.info') !== null;
  return isDescription ? level + 1 : level - 1;
}

interface OutgoingRequest {
  readonly headers: Record<string, string>;
}

function mark(request: OutgoingRequest): OutgoingRequest {
  request.headers['Sandbox-Page'] = 'docs';
  return request;
}

/** Sets up the field that hides the operations without its words. Returns what hides them again. */
function filterOperations(shown: HTMLElement): () => void {
  const field = document.querySelector<HTMLInputElement>('#filter');
  const status = document.getElementById('filtered');
  if (field === null || status === null) return () => {};
  const apply = (): void => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const operations = [...shown.querySelectorAll<HTMLElement>('.opblock')];
    for (const operation of operations) {
      const text = operation.querySelector('.opblock-summary')?.textContent?.toLowerCase() ?? '';
      setHidden(operation, !words.every((word) => text.includes(word)));
    }
    for (const group of shown.querySelectorAll<HTMLElement>('.opblock-tag-section')) {
      const own = [...group.querySelectorAll<HTMLElement>('.opblock')];
      setHidden(group, own.length > 0 && own.every(({ hidden }) => hidden));
    }
    const left = operations.filter(({ hidden }) => !hidden).length;
    const text = words.length === 0 ? '' : `${left} of ${operations.length} operations`;
    if (status.textContent !== text) status.textContent = text;
  };
  field.addEventListener('input', apply);
  return apply;
}

/** Changes the page only if needed: the page is watched for changes. */
function setHidden(element: HTMLElement, isHidden: boolean): void {
  if (element.hidden !== isHidden) element.hidden = isHidden;
}

if (place !== null) {
  followScheme();
  dark.addEventListener('change', followScheme);
  const filter = filterOperations(place);
  new MutationObserver(() => {
    complete(place);
    filter();
  }).observe(place, { childList: true, subtree: true });
  const canTry = place.dataset['canTry'] === 'yes';
  const ui = SwaggerUIBundle({
    url: place.dataset['document'],
    domNode: place,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    showExtensions: false,
    tryItOutEnabled: canTry,
    // The report does not count these calls as the client's. The curl command that the page shows has no mark.
    requestInterceptor: mark,
    showMutatedRequest: false,
    ...(canTry ? {} : { supportedSubmitMethods: [] }),
    syntaxHighlight: { theme: 'obsidian' },
    validatorUrl: null,
    plugins: [swaggerPlugin],
    onComplete: async () => {
      document.getElementById('tools')?.removeAttribute('hidden');
      if (canTry) await chooseSender((key) => ui.preauthorizeApiKey('apiKey', key));
    },
  });
}
