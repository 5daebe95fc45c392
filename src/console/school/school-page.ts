import type { TargetedEvent, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Schemas } from '../api.ts';
import { html } from '../html.ts';
import { BehindProxy } from '../parts/behind-proxy.ts';
import { CopyButton } from '../parts/copy-button.ts';
import { keyOf } from '../parts/key-of.ts';
import { Link } from '../parts/link.ts';
import { Loading, ProblemNotice } from '../parts/notice.ts';
import { Outcome } from '../parts/doing.ts';
import { Tabs } from '../parts/tabs.ts';
import { useTokenDialog } from '../parts/token-dialog.ts';
import { useLoad } from '../parts/use-load.ts';
import { useSandboxes } from '../parts/use-sandboxes.ts';
import { go, hasAny, pathTo, useAddress } from '../route.ts';
import { UndoBar } from '../undo-bar.ts';
import { initialsOf, Picture } from './picture.ts';
import { recordsOf, schoolPath, type School, type Section } from './school.ts';
import { behindWhite } from './school-color.ts';
import { sections } from './sections/index.ts';
import { tintOf } from './tint.ts';
import { useFailures } from './use-failures.ts';
import { useWrites } from './use-writes.ts';

/** The page at `/school/<sandbox>/<school>/<section>`: the data of a school as a person sees it. */
export function SchoolPage(): VNode {
  const { parts, query } = useAddress();
  const [named = '', slug = '', name = '', ...rest] = parts;
  const sandbox = named === '' ? 'default' : named;
  const { dialog, notice } = useTokenDialog();
  const { current, all, problem, refresh } = useSandboxes(sandbox, (permitted) =>
    go(schoolPath(permitted, '', ''), 'replace'),
  );
  const chosen = current ?? undefined;
  const school =
    chosen?.schools.find((one) => one.slug === slug) ?? (slug === '' ? chosen?.schools[0] : undefined);
  const known = name === '' ? sections[0] : sections.find((one) => one.name === name);
  const section = hasAny(rest) ? undefined : known;
  const missing = current === undefined ? null : nameOfMissing(sandbox, slug, chosen, school);
  const title = missing ?? `${section?.title ?? 'Page not found'} · ${school?.name ?? 'School'}`;
  useEffect(() => {
    document.title = `${title} · Sandbox`;
  }, [title]);
  const upstream = (current ?? all[0])?.upstream;
  if (upstream !== undefined) return html`<${OfProxy} upstream=${upstream} />`;
  return html`<a class="skip" href="#content">Skip to content</a>
    <${Top} sandbox=${sandbox} isGone=${current === null} sandboxes=${all} onOpen=${refresh} chosen=${chosen} slug=${school?.slug} section=${name} />
    ${
      chosen === undefined || school === undefined || section === undefined
        ? html`<main id="content">${notice ?? html`<${ProblemNotice} problem=${problem} />`}${current === undefined ? problem === null && html`<${Loading} />` : html`<${Missing} title=${missing} sandbox=${chosen?.id} school=${school} />`}</main>`
        : html`<${OneSchool} key=${`${chosen.id} ${school.slug}`} sandbox=${chosen} school=${school} section=${section} query=${query} />`
    }
    ${dialog}`;
}

function OfProxy({ upstream }: { readonly upstream: string }): VNode {
  return html`<header class="top">
      <nav class="row" aria-label="Pages of this server">
        <a class="name" href="/"><span class="wide-only">Learning Platform </span><strong>Sandbox</strong></a>
        <a href="/console">Console</a>
        <a href="/docs">API<span class="wide-only"> reference</span></a>
      </nav>
    </header>
    <main id="content">
      <h1>School</h1>
      <${BehindProxy} upstream=${upstream} effect="the schools of its own sandboxes are not those of the service" purpose="To see a school as a person does" />
    </main>`;
}

/** Returns the title of a page whose sandbox or school does not exist; null if both do. */
function nameOfMissing(
  sandbox: string,
  slug: string,
  chosen: Schemas['Sandbox'] | undefined,
  school: MissingProps['school'],
): string | null {
  if (chosen === undefined) return `Sandbox “${sandbox}” not found`;
  if (school !== undefined) return null;
  return slug === '' ? 'School not found' : `School “${slug}” not found`;
}

interface MissingProps {
  readonly title: string | null;
  readonly sandbox: string | undefined;
  readonly school: Schemas['Sandbox']['schools'][number] | undefined;
}

/** What the address names is missing: a section of the school, or else the school. */
function Missing({ title, sandbox, school }: MissingProps): VNode {
  if (school !== undefined) return html`<${NoSection} sandbox=${sandbox} school=${school} />`;
  return html`<h1>${title}</h1>
    ${
      sandbox === undefined
        ? html`<p>It was deleted, or never existed. <a href=${pathTo('default', 'sandboxes')}>Show all sandboxes</a>.</p>`
        : html`<p>The sandbox ${sandbox} has no such school. <${Link} to=${schoolPath(sandbox, '', '')}>Show its first school<//> or <a href=${pathTo(sandbox, 'sandboxes')}>all sandboxes</a>.</p>`
    }`;
}

interface NoSectionProps {
  readonly sandbox: string | undefined;
  readonly school: Schemas['Sandbox']['schools'][number];
}

/** Shown at an address that names no section. */
function NoSection({ sandbox = 'default', school: { name, slug } }: NoSectionProps): VNode {
  return html`<h1>Page not found</h1>
    <p>There is no page at <code>${location.pathname}</code>. The pages of ${name} are:</p>
    <ul>
      ${sections.map((one) => html`<li key=${one.name}><${Link} to=${schoolPath(sandbox, slug, one.name)}>${one.title}<//></li>`)}
    </ul>`;
}

interface TopProps {
  /** The id in the address. */
  readonly sandbox: string;
  /** Whether there is no such sandbox. */
  readonly isGone: boolean;
  readonly sandboxes: readonly Schemas['Sandbox'][];
  /** Called when the person is about to choose one. */
  readonly onOpen: () => void;
  readonly chosen: Schemas['Sandbox'] | undefined;
  readonly slug: string | undefined;
  /** The section's segment in the address. */
  readonly section: string;
}

type Chosen = TargetedEvent<HTMLSelectElement>;

/** The choice of sandbox and school, and the links to the other pages. */
function Top({ sandbox, isGone, sandboxes, onOpen, chosen, slug, section }: TopProps): VNode {
  const schools = chosen?.schools ?? [];
  return html`<header class="top">
    <nav class="row" aria-label="Pages of this server">
      <a class="name" href="/"><span class="wide-only">Learning Platform </span><strong>Sandbox</strong></a>
      <a href=${pathTo(chosen?.id ?? 'default', 'journal')}>Console</a>
      <a href="/demo">Demo</a>
      <a href="/docs">API<span class="wide-only"> reference</span></a>
    </nav>
    <div class="row">
      ${
        !isGone &&
        html`<label>
        School
        <select value=${slug ?? ''} onChange=${({ currentTarget: { value } }: Chosen) => go(schoolPath(chosen?.id ?? 'default', value, section))}>
          ${slug === undefined && html`<option value=""></option>`}
          ${schools.map((one) => html`<option key=${one.slug} value=${one.slug}>${one.name}</option>`)}
        </select>
      </label>`
      }
      <label>
        Sandbox
        <select value=${sandbox} onFocus=${onOpen} onChange=${({ currentTarget: { value } }: Chosen) => go(schoolPath(value, '', ''))}>
          ${[...new Set([sandbox, ...sandboxes.map(({ id }) => id)])].map((id) => html`<option key=${id}>${id}</option>`)}
        </select>
      </label>
    </div>
  </header>`;
}

interface OneProps {
  readonly sandbox: Schemas['Sandbox'];
  readonly school: Schemas['Sandbox']['schools'][number];
  readonly section: Section;
  readonly query: URLSearchParams;
}

/** One school with its sections. */
function OneSchool({ sandbox, school: { name, slug }, section, query }: OneProps): VNode {
  const { id, baseUrl, clock } = sandbox;
  const { doing, ...failures } = useFailures(id, slug);
  const changes = useWrites(id);
  const records = useLoad(() => recordsOf({ sandbox: id, slug }, 'schools'), [changes]);
  const record = records.value?.find((one) => one.slug === slug);
  const school: School = {
    sandbox: id,
    slug,
    name,
    timeZone: record?.timeZone,
    baseUrl,
    now: Date.parse(clock.now),
    changes,
    ...failures,
  };
  const key = keyOf(id, slug);
  const logoUrl = record?.logoUrl;
  const color = behindWhite(record?.color);
  // Another color would flash while it is unknown.
  const tint = records.value === null && records.problem === null ? '' : tintOf(slug);
  return html`<section class=${`banner ${color === null ? tint : ''}`} style=${color === null ? '' : `background: ${color}`} aria-label="School">
      <span class="crest" aria-hidden="true">${logoUrl === undefined ? initialsOf(name) : html`<${Picture} class="logo" url=${logoUrl} name=${name} />`}</span>
      <div>
        <h1>${name}</h1>
        <p class="row small"><span>Key <code>${key}</code></span> <${CopyButton} text=${key} what=${`the key of ${name}`} label="Copy key" /></p>
      </div>
    </section>
    <${Tabs} label="Sections" links=${sections.map((one) => ({ name: one.name, title: one.title, to: schoolPath(id, slug, one.name) }))} current=${section.name} />
    <main id="content" tabindex="-1">
      <h2 class="unseen">${section.title}</h2>
      <${UndoBar} onUndone=${() => {}} />
      <${Outcome} doing=${doing} />
      <${section.component} key=${section.name} school=${school} query=${query} />
    </main>`;
}
