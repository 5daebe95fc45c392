import { build } from 'esbuild';
import { assumptionNames, type AssumptionName } from '../src/assumptions.ts';
import { operationOf, type OpenApiDocument } from '../src/contract/openapi.ts';
import type { AskedBy } from '../src/pages/reference-document.ts';

/** What asks for the limits that the contract does not state (src/sandbox/limits.ts). */
const unstatedLimit: AssumptionName = 'processedMp4RateLimit';

/**
 * Which assumptions each operation asks: those in the code that its file leads to, function by function,
 * which a bundler finds out. What is asked of every call, whatever its operation, is not among them.
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
