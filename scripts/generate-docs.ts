import { assumptions, profiles } from '../src/assumptions.ts';
import { flags } from '../src/commands/flags.ts';
import type { OpenApiDocument } from '../src/contract/openapi.ts';
import { defaultCountInWords, writtenName } from '../src/generate/counts.ts';
import { guideGroups } from '../src/pages/guides.ts';
import { collectionNames } from '../src/sandbox/seed.ts';
import { demoBlocks } from './generate-demo.ts';
import { failureBlocks } from './generate-failures.ts';
import { reportBlocks } from './generate-report.ts';
import { serverLimitBlocks } from './generate-server-limits.ts';
import { fillBlocks, table, type Blocks } from './generated-blocks.ts';

function operationsTable(contract: OpenApiDocument): string {
  const rows = Object.entries(contract.paths).map(([path, { post }]) => {
    const limit = post['x-rate-limit']?.requests ?? 'not stated';
    return [`\`${path}\``, post.summary, post['x-writes'] ? 'writes' : 'reads', String(limit)];
  });
  return table(['operation', 'summary', 'reads or writes', 'rate limit per minute'], rows);
}

function assumptionsTable(): string {
  const rows = Object.entries(assumptions).map(([name, { question, options, default: chosen }]) => {
    const others = Object.keys(options).filter((option) => option !== chosen);
    return [`\`${name}\``, question, `\`${chosen}\``, others.map((option) => `\`${option}\``).join(' · ')];
  });
  return table(['assumption', 'question', 'default', 'other options'], rows);
}

function profilesTable(): string {
  const rows = Object.entries(profiles).map(([name, options]) => {
    const set = Object.entries(options).map(([assumption, option]) => `\`${assumption}=${option}\``);
    return [`\`${name}\``, set.length === 0 ? 'every default' : set.join(' ')];
  });
  return table(['profile', 'sets'], rows);
}

function flagsTable(): string {
  const rows = flags.map(({ name, value, help }) => [
    `\`--${name}${value === null ? '' : ` ${value.replaceAll('|', '\\|')}`}\``,
    help.replaceAll('<', '&lt;'),
  ]);
  return table(['flag', 'effect'], rows);
}

function countsTable(): string {
  const rows = collectionNames.map((name) => [`\`${writtenName(name)}\``, defaultCountInWords(name)]);
  return table(['name', 'default'], rows);
}

/** Every guide with the question that it answers, as the sidebar of the served guides groups them. */
function guideList(): string {
  const groups = guideGroups.map(({ title, guides }) => {
    const items = guides.map(({ name, title: guide, about }) => `- [${guide}](${name}.md): ${about}`);
    return `## ${title}\n\n${items.join('\n')}`;
  });
  return groups.join('\n\n');
}

/** Every page of docs/ that has generated blocks, and the function that fills them. */
export function generatedPages(
  contract: OpenApiDocument,
  control: OpenApiDocument,
): Readonly<Record<string, (page: string) => string>> {
  const pages: Readonly<Record<string, Blocks>> = {
    README: { guides: guideList() },
    demo: demoBlocks(),
    operations: { operations: operationsTable(contract) },
    assumptions: { assumptions: assumptionsTable(), profiles: profilesTable() },
    server: { flags: flagsTable() },
    'generated-data': { counts: countsTable() },
    ...failureBlocks(control),
    report: reportBlocks(),
    'server-limits': serverLimitBlocks(),
  };
  return Object.fromEntries(
    Object.entries(pages).map(([name, blocks]) => [
      name,
      (page: string) => fillBlocks(`docs/${name}.md`, page, blocks),
    ]),
  );
}
