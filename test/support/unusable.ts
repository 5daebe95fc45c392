import { expect } from 'vitest';
import { SandboxError } from '../../src/base/errors.ts';

/** The reason of a path below a file. */
export const belowFile = 'a part of its path is not a folder';

/**
 * Expects an error about the path of a flag that ends a command with 1, because the usage is correct. By default, the
 * path is a folder or below a file.
 */
export async function expectUnusable(
  code: Promise<number>,
  flag: string,
  reason = `it is a folder|${belowFile}`,
): Promise<void> {
  const error: unknown = await code.catch((caught: unknown) => caught);
  expect(error).not.toBeInstanceOf(SandboxError);
  expect(error).toHaveProperty(
    'message',
    expect.stringMatching(
      new RegExp(`^${flag} .* cannot be used: (?:${reason})\\. Use another ${flag} \\(E\\w+: .*\\)\\.$`),
    ),
  );
}
