import { markup, nothing, type Markup } from '../base/markup.ts';
import { guideGroups, guidePath } from './guides.ts';
import { copyable, forProxy, linkCards, toPage, words, type LinkCard } from './page.ts';

/** A school and its API key. */
interface School {
  readonly name: string;
  readonly key: string;
}

/** The content of the start page. */
export interface Start {
  /** The URL of the server as the client sees it, without a slash at the end. */
  readonly origin: string;
  readonly version: string;
  readonly schools: readonly School[];
  /** Whether the server started from the demo data. */
  readonly isDemo: boolean;
  /** The service to which a proxy forwards calls; null if the server handles them itself. */
  readonly upstream: string | null;
}

/** A generated seed may have any number of schools. */
const maxShown = 10;

/** Returns the page at `/`: the URL, the keys, the first call, and links to the tools and guides. */
export function startPage(start: Start): string {
  const { origin, version, schools, isDemo, upstream } = start;
  const [first] = schools;
  const keyRule = upstream === null ? 'Each school sees only its own data.' : 'Use a key of the service.';
  const main = markup`<h1>Learning Platform Sandbox <span class="version">${version}</span></h1>
<p class="lead">${upstream === null ? mockServer : passing(upstream)}</p>
<section aria-labelledby="begin">
<h2 id="begin">Connect a client</h2>
<dl class="facts">
<dt>URL</dt><dd>${copyable('url', `${origin}/public/`, 'the URL')}<p class="small">Append the name of <a href="/docs">an operation</a>, and send a POST request.</p></dd>
${schools.slice(0, maxShown).map(({ name, key }, index) => markup`<dt>Key of ${name}</dt><dd>${copyable(`key-${index}`, key, `the key of ${name}`)}</dd>`)}
${first === undefined && upstream === null ? markup`<dt>Keys</dt><dd>Create a sandbox in <a href="/console">the console</a>, or with <code>POST /control/sandboxes</code>. The response has its keys.</dd>` : nothing}
</dl>
${schools.length > maxShown ? markup`<p class="small"><a href="/console">The console</a> shows the keys of the other schools.</p>` : nothing}
<p class="small">Send the key in the header <code>SERVICE-API-KEY</code>. ${keyRule}</p>
</section>
${first === undefined ? nothing : firstCallSection(origin, first.key, isDemo)}
<section aria-labelledby="tools">
<h2 id="tools">Tools</h2>
${linkCards(upstream === null ? [...ofSchools, ...tools] : tools)}
</section>
<section aria-labelledby="guides">
<h2 id="guides">Guides</h2>
${guideGroups.map(guideCards)}
</section>`;
  const page = toPage({ title: 'Learning Platform Sandbox', path: '/', main });
  return upstream === null ? page : forProxy(page);
}

const mockServer = markup`A stateful mock server for the learning platform’s public API. It implements every operation as specified, stores what your client
changes, and explains each invalid request. Its schools, people and content are invented. It injects failures only on demand.`;

function passing(upstream: string): Markup {
  return markup`A validating proxy for <code>${upstream}</code>. It forwards calls, and validates requests and responses against the OpenAPI document:
<a href="/docs/proxy">how it works</a>. <a href="/console/default/journal">The journal</a> shows the calls.`;
}

function firstCallSection(origin: string, key: string, isDemo: boolean): Markup {
  const { command, answer } = firstCall(origin, key, isDemo);
  return markup`<section aria-labelledby="first">
<h2 id="first">Make the first call</h2>
${copyable('command', command, 'the first call', 'block')}
<p class="small">The response:</p>
<pre tabindex="0" aria-label="The response to the first call">${answer}</pre>
</section>`;
}

/** A proxy has no schools of its own. */
const ofSchools: readonly LinkCard[] = [
  ['/demo', 'Guided demo', 'See the sandbox at work in ten steps, or show it to others.'],
  [
    '/school',
    'School',
    'See the data as a person does: courses, quizzes, people, live events with recordings.',
  ],
];

const tools: readonly LinkCard[] = [
  ['/console', 'Console', words.console.sandbox],
  ['/docs', 'API reference', 'Read every operation with its fields and examples, and send requests.'],
  ['/docs/control', 'Control plane API', 'Manage sandboxes over HTTP.'],
  ['/openapi.yaml', 'OpenAPI document', 'Import the API into other tools. Also available as /openapi.json.'],
];

function guideCards({ title, guides }: (typeof guideGroups)[number]): Markup {
  return markup`<h3>${title}</h3>
${linkCards(guides.map(({ name, title: guide, about }) => [guidePath(name), guide, about]))}`;
}

/** The first call for a newcomer: a command that can be pasted, and its response. */
interface FirstCall {
  readonly command: string;
  readonly answer: string;
}

/**
 * Returns the call that the start page shows. Without the demo data it lists instructors, which works for
 * every school.
 */
function firstCall(origin: string, key: string, isDemo: boolean): FirstCall {
  return isDemo
    ? {
        command: commandOf(origin, key, 'list-assignments', assignmentsOf('f68b14464867fc055551e6ac')),
        answer: demoAnswer,
      }
    : {
        command: commandOf(origin, key, 'get-all-instructors', {}),
        answer: '[{"output":{"status":"ok","data":{"instructors":[ … ]}}}]',
      };
}

function assignmentsOf(digitalProductId: string): object {
  return { courseIdentifier: { type: 'product-id', digitalProductId } };
}

function commandOf(origin: string, key: string, operation: string, parameters: object): string {
  return `curl ${origin}/public/${operation} \\
  -H 'SERVICE-API-KEY: ${key}' -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ data: [{ data: parameters }] })}'`;
}

/** The response with unchanged demo data. */
const demoAnswer = `[{"output":{"status":"ok","data":{
  "productId":"f68b14464867fc055551e6ac",
  "productTitle":"Foundations of Biology",
  "assignments":[
    {"assignmentId":"1df9594bdbc7bf45f4762c28","assignmentTitle":"Observe and Draw Onion Cells"},
    {"assignmentId":"db293522b44cfdfabbccb546","assignmentTitle":"Measure the Breath of Yeast"},
    {"assignmentId":"93de7fab5d19792f19793313","assignmentTitle":"Trace a Trait Through Three Generations"}
  ]}}}]`;
