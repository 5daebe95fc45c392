import { parse } from 'yaml';
import { resolve, type OpenApiDocument, type Schema } from '../src/contract/openapi.ts';
import { choice } from '../src/faults/chosen-elements.ts';
import type { Fault } from '../src/faults/fault.ts';
import { faultGroups } from '../src/faults/index.ts';
import type { Parameter, Parameters } from '../src/faults/parameter.ts';
import { readPackageFile } from '../src/base/package-files.ts';
import { scenarioNames } from '../src/store/read-scenario.ts';
import { table, type Blocks } from './generated-blocks.ts';

function faultIndex(): string {
  return Object.entries(faultGroups)
    .map(
      ([group, faults]) =>
        `- ${group === 'reply' ? '**response** (group `reply`)' : `**${group}**`}: ${faults.map(({ name }) => `[\`${name}\`](#${name})`).join(' · ')}`,
    )
    .join('\n');
}

function faultText({ summary, phase, parameters }: Fault): string {
  return `${summary}\n\n- phase: default \`${phase}\`\n${parameterList(parameters)}`.trim();
}

/** Returns a line for each parameter; parameters that many faults share are explained once. */
function parameterList(parameters: Parameters): string {
  const lines = Object.entries(parameters).map(([name, parameter]) => {
    if (parameter === choice.index) return '- `index` or `every`: [which elements](#which-elements)';
    return parameter === choice.every ? '' : parameterLine(name, parameter);
  });
  return lines.filter((line) => line !== '').join('\n');
}

function parameterLine(name: string, { help, form, standard }: Parameter<unknown>): string {
  const byDefault = standard === undefined ? '' : `, default ${JSON.stringify(standard)}`;
  return `- \`${name}\`: ${help}. ${form.charAt(0).toUpperCase()}${form.slice(1)}${byDefault}.`.replaceAll(
    /(…|\.")\./g,
    '$1',
  );
}

/** Returns the fields of a schema of the control document with their descriptions. */
function fields(control: OpenApiDocument, schema: string): string {
  const { properties = {} } = resolve(control, { $ref: `#/components/schemas/${schema}` });
  const rows = Object.entries(properties).map(([name, property]) => [
    `\`${name}\``,
    descriptionOf(property, resolve(control, property)),
  ]);
  return table(['field', 'meaning'], rows);
}

function descriptionOf(...schemas: readonly Schema[]): string {
  const description = schemas.map((schema) => schema['description']).find((text) => typeof text === 'string');
  if (typeof description !== 'string') throw new Error('A field of openapi/control.yaml has no description.');
  return description.trim();
}

function scenariosTable(): string {
  const rows = scenarioNames().map((name) => {
    // The project's own files; a test validates them against their schema.
    const scenario = parse(readPackageFile(`fixtures/scenarios/${name}.yaml`)) as {
      readonly summary: string;
      readonly lesson: string;
    };
    return [`[\`${name}\`](../fixtures/scenarios/${name}.yaml)`, scenario.summary, scenario.lesson];
  });
  return table(['scenario', 'what happens', 'what a robust client does'], rows);
}

/** The generated blocks of `docs/failures.md`, `docs/faults.md` and `docs/scenarios.md`. */
export function failureBlocks(control: OpenApiDocument): Readonly<Record<string, Blocks>> {
  const faults = Object.values(faultGroups).flat();
  return {
    failures: {
      rule: fields(control, 'NewFaultRule'),
      match: fields(control, 'FaultMatch'),
      when: fields(control, 'FaultTiming'),
    },
    faults: {
      faults: faultIndex(),
      choice: Object.entries(choice)
        .map(([name, parameter]) => parameterLine(name, parameter))
        .join('\n'),
      ...Object.fromEntries(faults.map((fault) => [`fault ${fault.name}`, faultText(fault)])),
    },
    scenarios: { scenarios: scenariosTable() },
  };
}
