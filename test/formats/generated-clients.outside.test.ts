import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, temporaryFolder, type Ended } from '../support/command.ts';
import { quiz } from '../support/demo.ts';
import { linkModule, linkProgram } from '../support/package.ts';
import { serve } from '../support/serve.ts';

const documents = ['learning-platform', 'control'] as const;
type DocumentName = (typeof documents)[number];

/** Every check of the compiler that the code of both generators passes. */
const strictest = {
  target: 'ES2022',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
};

const settings = `const baseUrl = process.env['SANDBOX_URL'] ?? '';
const key = process.env['SANDBOX_API_KEY'] ?? '';
const body = { data: [{ data: { quizId: '${quiz.id}' } }, { data: { quizId: 'none' } }] };
const rule = { id: 'own', operation: 'list-assignments', fault: 'delay', with: { ms: 1 } } as const;
`;

const printing = `for (const { output } of data ?? [])
  console.log(output.status === 'ok' ? output.data.quizTitle : output.errorMessage);
console.log(added?.id, added?.fault, page?.entries.length);
`;

/** A generator: its command for each document, a program that calls both, and what that program imports. */
interface Generator {
  readonly name: string;
  readonly command: (document: DocumentName) => readonly [string, ...string[]];
  readonly modules: readonly string[];
  readonly flags: object;
  readonly program: string;
}

const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript with openapi-fetch',
    command: (document) => ['openapi-typescript', `${document}.yaml`, '-o', `${document}.ts`],
    modules: ['openapi-fetch'],
    flags: { exactOptionalPropertyTypes: true },
    program: `import createClient from 'openapi-fetch';
import type { paths as ControlPaths } from './control.js';
import type { paths } from './learning-platform.js';
${settings}
const api = createClient<paths>({ baseUrl, headers: { 'SERVICE-API-KEY': key } });
const control = createClient<ControlPaths>({ baseUrl });
const path = { sandboxId: 'default' };
const { data } = await api.POST('/public/get-quiz-details', { body });
const { data: added } = await control.POST('/control/sandboxes/{sandboxId}/faults', { params: { path }, body: rule });
const { data: page } = await control.GET('/control/sandboxes/{sandboxId}/journal', { params: { path } });
${printing}`,
  },
  {
    name: 'hey-api',
    command: (document) => [
      'openapi-ts',
      '-i',
      `${document}.yaml`,
      '-o',
      document,
      '-c',
      '@hey-api/client-fetch',
      '--silent',
      '--no-log-file',
    ],
    modules: [],
    // What it adds for every client does not compile with exactOptionalPropertyTypes.
    flags: {},
    program: `import { createClient as createControl } from './control/client/index.js';
import { addFaultRule, listJournal } from './control/index.js';
import { createClient } from './learning-platform/client/index.js';
import { getQuizDetails } from './learning-platform/index.js';
${settings}
const client = createControl({ baseUrl });
const path = { sandboxId: 'default' };
const { data } = await getQuizDetails({ client: createClient({ baseUrl, auth: key }), body });
const { data: added } = await addFaultRule({ client, path, body: rule });
const { data: page } = await listJournal({ client, path });
${printing}`,
  },
];

function inFolder(cwd: string, [program, ...parameters]: readonly [string, ...string[]]): Promise<Ended> {
  return run(parameters, { program: [`node_modules/.bin/${program}`], cwd, env: { NO_COLOR: '1' } });
}

/** Returns a folder with the clients that a generator makes of both documents, and a program that uses them. */
async function clientOf({ command, modules, flags, program }: Generator): Promise<string> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  for (const name of ['@types/node', 'typescript', ...modules]) linkModule(folder, name);
  linkProgram(folder, 'tsc');
  for (const document of documents) {
    const words = command(document);
    if (document === documents[0]) linkProgram(folder, words[0]);
    copyFileSync(`openapi/${document}.yaml`, join(folder, `${document}.yaml`));
    expect(await inFolder(folder, words)).toMatchObject({ code: 0 });
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'main.ts'), program);
  const tsconfig = { compilerOptions: { ...strictest, ...flags, outDir: 'dist' } };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  return folder;
}

// Each starts programs that take seconds.
describe('the documents', { timeout: 120_000 }, () => {
  it.each(generators)('make clients that compile strictly and work: $name', async (generator) => {
    const folder = await clientOf(generator);
    expect(await inFolder(folder, ['tsc', '-p', '.'])).toMatchObject({ code: 0, out: '' });
    const server = await serve();
    const env = { SANDBOX_URL: server.url, SANDBOX_API_KEY: server.default.apiKey('riverside') };
    const { code, out, err } = await run(['dist/main.js'], { program: [process.execPath], cwd: folder, env });
    expect({ code, err, out: out.split('\n') }).toEqual({
      code: 0,
      err: '',
      out: [
        'Lists, Tuples and Dictionaries',
        '/data/1/data/quizId: The school has no quiz with the identifier "none". It looks like the text of an empty variable.',
        'own delay 1',
        '',
      ],
    });
  });

  it.each(generators)(
    'make clients in which a misspelled field does not compile: $name',
    async (generator) => {
      const folder = await clientOf({
        ...generator,
        program: generator.program.replace('quizId:', 'quizID:'),
      });
      const { code, out } = await inFolder(folder, ['tsc', '-p', '.']);
      expect({ code: code === 0, out }).toEqual({
        code: false,
        out: expect.stringContaining('quizID') as string,
      });
      expect(readFileSync(join(folder, 'main.ts'), 'utf8')).toContain('quizID');
    },
  );
});
