import { build } from 'esbuild';
import { assumptionNames, type AssumptionName } from '../src/assumptions.ts';
import { operationOf, type OpenApiDocument } from '../src/contract/openapi.ts';
import type { AskedBy } from '../src/pages/reference-document.ts';

/** The file that reads the limits that the contract does not state (src/sandbox/limits.ts). */
const unstatedLimit: AssumptionName = 'processedMp4RateLimit';

/**
 * Returns the assumptions that each operation reads: those in the code that its file reaches, function by
 * function, as a bundler determines. Assumptions that every call reads are not among them.
 */
export async function askedBy({ paths }: OpenApiDocument): Promise<AskedBy> {
  const found = Object.entries(paths).map(async ([path, { post }]) => {
    const operation = operationOf(path);
    const code = await codeOf(`src/operations/${operation}.ts`);
    const limit = post['x-rate-limit'] === undefined ? [unstatedLimit] : [];
    return [
      operation,
      [...assumptionNames.filter((name) => code.includes(`assume("${name}")`)), ...limit],
    ] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

async function codeOf(entryPoint: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('\n');
}
