import { SandboxError } from '../../base/errors.ts';

const maxMiB = 64;
const maxSeconds = 30;

/** Returns the text at a URL. Follows no redirect. Throws SandboxError if there is none. */
export async function readUrlText(url: string): Promise<string> {
  const refuse = (why: string): SandboxError => new SandboxError(`Cannot read ${new URL(url).host}: ${why}`);
  try {
    return await textAt(url);
  } catch (error) {
    if (error instanceof Unusable) throw refuse(error.message);
    if (error instanceof Error && error.name === 'TimeoutError')
      throw refuse(`it did not send the whole response within ${maxSeconds} s.`);
    const cause = error instanceof Error ? error.cause : undefined;
    throw refuse(cause instanceof Error ? cause.message : String(error));
  }
}

class Unusable extends Error {}

async function textAt(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(maxSeconds * 1000) });
  if (response.status !== 200) throw new Unusable(`it returned HTTP ${response.status}.`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxMiB * 1024 * 1024) throw new Unusable(`it sent more than ${maxMiB} MiB.`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks, bytes));
}
