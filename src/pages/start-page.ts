import { markup, nothing, type Markup } from '../base/markup.ts';
import { firstCall } from './first-call.ts';
import { copyable, toPage } from './page.ts';

/** A school, and the key that opens it. */
interface School {
  readonly name: string;
  readonly key: string;
}

/** What the start page tells of the server. */
export interface Start {
  /** Where the client reached it, without a slash at the end. */
  readonly origin: string;
  readonly version: string;
  readonly schools: readonly School[];
  /** Whether it started from the demo data. */
  readonly isDemo: boolean;
  /** Where it passes calls on to; null where it answers them. */
  readonly upstream: string | null;
}

/** A generated seed may have any number of schools. */
const maxShown = 10;

/** The page at `/`: what this is, the URL, the keys, the first call, and where to go. */
export function startPage(start: Start): string {
  const { origin, version, schools, isDemo, upstream } = start;
  const [first] = schools;
  const keyRule =
    upstream === null ? 'Each school has its own data: one never sees the other’s.' : 'It is the one that the upstream knows.';
  const main = markup`<h1>Learning Platform Sandbox <span class="version">${version}</span></h1>
<p class="lead">${upstream === null ? standIn : passing(upstream)}</p>
<section aria-labelledby="begin">
<h2 id="begin">Begin</h2>
<dl class="facts">
<dt>URL</dt><dd>${copyable('url', `${origin}/public/`, 'the URL')}<p class="small">with the name of <a href="/docs">an operation</a> behind it, called with POST</p></dd>
${schools.slice(0, maxShown).map(({ name, key }, index) => markup`<dt>Key of ${name}</dt><dd>${copyable(`key-${index}`, key, `the key of ${name}`)}</dd>`)}
</dl>
${schools.length > maxShown ? markup`<p class="small">And ${String(schools.length - maxShown)} more schools: <a href="/console">the console</a> has their keys.</p>` : nothing}
<p class="small">The key goes into the header <code>SERVICE-API-KEY</code>. ${keyRule}</p>
</section>
${first === undefined ? nothing : firstCallSection(origin, first.key, isDemo)}
<section aria-labelledby="on">
<h2 id="on">Where to go</h2>
<ul class="cards">
${ways.map(([href, title, text]) => markup`<li><a href="${href}">${title}</a><p>${text}</p></li>`)}
</ul>
</section>`;
  return toPage({ title: 'Learning Platform Sandbox', path: '/', main });
}

const standIn = markup`A stand-in for the learning platform’s public API, to develop and test a client against: 13 operations that answer as specified,
remember what you did, and explain every mistake. No real school, no real data, and it fails only when you ask it to.`;

function passing(upstream: string): Markup {
  return markup`Calls are passed on to <code>${upstream}</code>, whose schools and data they are about, and held against the contract on their way:
<a href="/docs/proxy">how that works</a>. What went through stands in <a href="/console/default/journal">the journal</a>.`;
}

function firstCallSection(origin: string, key: string, isDemo: boolean): Markup {
  const { command, answer } = firstCall(origin, key, isDemo);
  return markup`<section aria-labelledby="first">
<h2 id="first">The first call</h2>
${copyable('command', command, 'the first call', 'block')}
<p class="small">answers</p>
<pre tabindex="0" aria-label="The answer to the first call">${answer}</pre>
</section>`;
}

const ways: readonly (readonly [href: string, title: string, text: string])[] = [
  ['/console', 'Console', 'See what your client sent and why it was refused; steer failures, data, clock and limits.'],
  ['/docs', 'Reference', 'Every operation with its fields and examples; try each from the page.'],
  ['/docs/failures', 'Failing on purpose', 'Every way to fail, with a command for each, and scripts of bad days.'],
  ['/docs/assumptions', 'Assumptions', 'What the specification leaves open, and how to try your client under each reading.'],
  ['/docs/report', 'Report', 'What your client covered and how it behaved, for people and for CI.'],
  ['/docs/playback', 'Recordings', 'How signed URLs and encrypted recordings are played.'],
  ['/docs/ci', 'In CI', 'Recipes for the usual test runners and build services.'],
  ['/docs/other-tools', 'In other tools', 'Every example for Postman, VS Code and JetBrains, and a client in TypeScript.'],
  ['/docs/proxy', 'Against the real service', 'Where the client breaks the contract, and where the service does.'],
  ['/docs/calibrate', 'Calibrate', 'Find out what the real service does where the specification is open.'],
  ['/docs/recorded-data', 'Recorded data', 'A seed that is shaped like a real school, with nothing in it that was real.'],
  ['/docs/generated-data', 'Generated data', 'Schools of any size, and records for identifiers that nobody has.'],
  ['/docs/server-limits', 'Limits of this server', 'How large a batch, a reply or a journal may be, and what happens beyond.'],
  ['/docs/control', 'Control plane', 'Everything about a sandbox, looked at and arranged over HTTP.'],
  ['/openapi.yaml', 'Contract', 'The OpenAPI document, also as /openapi.json.'],
  ['/docs/specification', 'Specification', 'What the API is built from, word for word.'],
];
