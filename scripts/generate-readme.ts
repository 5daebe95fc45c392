import { assumptions, profiles } from '../src/assumptions.ts';
import { flags } from '../src/commands/flags.ts';
import type { OpenApiDocument } from '../src/contract/openapi.ts';

function operationsTable(contract: OpenApiDocument): string {
  const rows = Object.entries(contract.paths).map(([path, { post }]) => {
    const limit = post['x-rate-limit']?.requests ?? 'not shown';
    return `| \`${path}\` | ${post.summary} | ${post['x-writes'] ? 'writes' : 'reads'} | ${limit} |`;
  });
  return ['| operation | does | | calls per minute |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function assumptionsTable(): string {
  const rows = Object.entries(assumptions).map(([name, { question, options, default: chosen }]) => {
    const others = Object.keys(options).filter((option) => option !== chosen);
    return `| \`${name}\` | ${question} | \`${chosen}\` | ${others.map((option) => `\`${option}\``).join(' · ')} |`;
  });
  return ['| assumption | question | default | other options |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function profilesTable(): string {
  const rows = Object.entries(profiles).map(([name, options]) => {
    const set = Object.entries(options).map(([assumption, option]) => `\`${assumption}=${option}\``);
    return `| \`${name}\` | ${set.length === 0 ? 'every default' : set.join(' ')} |`;
  });
  return ['| profile | sets |', '| --- | --- |', ...rows].join('\n');
}

function flagsTable(): string {
  const rows = flags.map(({ name, value, help }) => `| \`--${name}${value === null ? '' : ` ${value.replace('|', '\\|')}`}\` | ${help} |`);
  return ['| flag | does |', '| --- | --- |', ...rows].join('\n');
}

/** The README with each `<!-- generated: NAME -->` … `<!-- end -->` block filled anew. Throws for a name it does not know. */
export function fillReadme(readme: string, contract: OpenApiDocument): string {
  const tables: Record<string, string> = {
    operations: operationsTable(contract),
    assumptions: assumptionsTable(),
    profiles: profilesTable(),
    flags: flagsTable(),
  };
  return readme.replace(/(<!-- generated: (\w+) -->\n)[^]*?(<!-- end -->)/g, (_, start: string, name: string, end: string) => {
    const table = tables[name];
    if (table === undefined) throw new Error(`The README asks for a table "${name}"; there are ${Object.keys(tables).join(', ')}.`);
    return `${start}\n${table}\n\n${end}`;
  });
}
