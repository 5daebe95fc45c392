import { assumptions, profiles } from '../src/assumptions.ts';
import { flags } from '../src/commands/flags.ts';
import type { OpenApiDocument } from '../src/contract/openapi.ts';
import { fillBlocks, table } from './generated-blocks.ts';

function operationsTable(contract: OpenApiDocument): string {
  const rows = Object.entries(contract.paths).map(([path, { post }]) => {
    const limit = post['x-rate-limit']?.requests ?? 'not shown';
    return [`\`${path}\``, post.summary, post['x-writes'] ? 'writes' : 'reads', String(limit)];
  });
  return table(['operation', 'does', '', 'calls per minute'], rows);
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
  const rows = flags.map(({ name, value, help }) => [`\`--${name}${value === null ? '' : ` ${value.replace('|', '\\|')}`}\``, help]);
  return table(['flag', 'does'], rows);
}

/** The README with its generated blocks filled anew. */
export function fillReadme(readme: string, contract: OpenApiDocument): string {
  return fillBlocks(readme, {
    operations: operationsTable(contract),
    assumptions: assumptionsTable(),
    profiles: profilesTable(),
    flags: flagsTable(),
  });
}
