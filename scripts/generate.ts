/**
 * Writes everything that is derived from the documents in `openapi/`: facts, types and compiled validators in
 * `src/contract/generated/`, the schema of reports, and the generated blocks of the pages in `docs/`.
 * `--runtime` writes only what the server needs to run. Everything except the validators is committed (CI
 * checks that it is up to date); those are made by every build. Each file is replaced in one step: another
 * build may be reading it.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  bodySchemas,
  compileToModule,
  exportedName,
  parameterSchemas,
  recordSchemas,
  resultSchemas,
  type Thoroughness,
} from '../src/contract/compile.ts';
import { readDocument } from '../src/contract/document.ts';
import { generationSchemas } from '../src/contract/generation-schema.ts';
import { firstRequests } from '../src/contract/openapi.ts';
import { writtenVariant } from '../src/contract/variants.ts';
import { factsSource } from './generate-facts.ts';
import { reportSchema } from './generate-report-schema.ts';
import { lockBuild } from './build-lock.ts';
import { replaceFile } from './replace-files.ts';

const root = new URL('../', import.meta.url);
const folder = new URL('src/contract/generated/', root);

function write(name: string, text: string): void {
  replaceFile(fileURLToPath(new URL(name, folder)), text);
}

function rewrite(page: string, fill: (text: string) => string): void {
  const file = fileURLToPath(new URL(page, root));
  replaceFile(file, fill(readFileSync(file, 'utf8')));
}

function writeValidators(
  name: string,
  schemas: ReturnType<typeof recordSchemas>,
  violations: Thoroughness,
): void {
  write(`${name}.js`, compileToModule(schemas, violations));
  const declared = Object.keys(schemas).map((key) => `export const ${exportedName(key)}: ValidateFunction;`);
  write(`${name}.d.ts`, `import type { ValidateFunction } from 'ajv';\n${declared.join('\n')}\n`);
}

/** Something per operation, as data. */
function writeByOperation(
  name: string,
  exported: string,
  type: 'Schema' | 'object',
  byOperation: Readonly<Record<string, object>>,
): void {
  write(`${name}.js`, `export const ${exported} = ${JSON.stringify(byOperation)};\n`);
  const imports = [
    "import type { OperationName } from '../operation-types.ts';",
    ...(type === 'Schema' ? ["import type { Schema } from '../openapi.ts';"] : []),
  ];
  write(
    `${name}.d.ts`,
    `${imports.join('\n')}\nexport const ${exported}: { readonly [N in OperationName]: ${type} };\n`,
  );
}

/**
 * The fingerprints of the valid seeds in `fixtures/`. The modules that check them import what is written
 * above.
 */
async function checkedSeeds(): Promise<readonly string[]> {
  const { readSeedSource, seedNames } = await import('../src/store/seed-source.ts');
  const { validRecords } = await import('../src/store/check-seed.ts');
  return seedNames().map((name) => {
    const source = readSeedSource(name);
    validRecords(source);
    return source.fingerprint;
  });
}

/** A build has the lock already. */
const isForBuild = process.argv.includes('--runtime');
const lock = isForBuild ? null : await lockBuild(() => process.stderr.write('Waiting for a build …\n'));
const contract = readDocument('learning-platform');
const state = readDocument('state');
write('facts.ts', factsSource(contract, state));
writeValidators('parameter-validators', parameterSchemas(contract, writtenVariant), 'every');
writeValidators('first-violation-validators', parameterSchemas(contract, writtenVariant), 'first');
writeValidators('record-validators', recordSchemas(state), 'every');
writeValidators('first-record-violation-validators', recordSchemas(state), 'first');
writeValidators(
  'facts-validators',
  bodySchemas(state, ['Facts', 'LogLine', 'SnapshotFacts', 'StateFacts']),
  'every',
);
writeValidators('control-validators', bodySchemas(readDocument('control'), ['Scenario']), 'every');
writeByOperation(
  'parameter-schemas',
  'parameterSchemas',
  'Schema',
  parameterSchemas(contract, writtenVariant),
);
writeByOperation('result-schemas', 'resultSchemas', 'Schema', resultSchemas(contract));
write(
  'generation-schemas.js',
  `export const generationSchemas = ${JSON.stringify(generationSchemas(state))};\n`,
);
write(
  'generation-schemas.d.ts',
  "import type { Records } from './facts.ts';\nimport type { Schema } from '../openapi.ts';\nexport const generationSchemas: { readonly [N in keyof Records]: Schema };\n",
);
write('contract.js', `export const contract = ${JSON.stringify(contract)};\n`);
write(
  'contract.d.ts',
  "import type { OpenApiDocument } from '../openapi.ts';\nexport const contract: OpenApiDocument;\n",
);
writeByOperation('request-examples', 'requestExamples', 'object', firstRequests(contract));

write('checked-seeds.js', `export const checkedSeeds = ${JSON.stringify(await checkedSeeds())};\n`);
write('checked-seeds.d.ts', 'export const checkedSeeds: readonly string[];\n');

if (!isForBuild) {
  const { default: openapiTypescript, astToString } = await import('openapi-typescript');
  const { generatedPages } = await import('./generate-docs.ts');
  for (const [name, source] of [
    ['api', 'learning-platform'],
    ['state', 'state'],
    ['control', 'control'],
  ] as const) {
    const ast = await openapiTypescript(new URL(`openapi/${source}.yaml`, root), { immutable: true });
    write(
      `${name}.ts`,
      `// Generated from openapi/${source}.yaml by \`npm run generate\`.\n${astToString(ast)}`,
    );
  }
  const schema = JSON.stringify(reportSchema(readDocument('control')), null, 2);
  replaceFile(fileURLToPath(new URL('openapi/report.schema.json', root)), `${schema}\n`);
  for (const [name, fill] of Object.entries(generatedPages(contract, readDocument('control'))))
    rewrite(`docs/${name}.md`, fill);
}
await lock?.free();
