import { SandboxError } from '../../base/errors.ts';

const maxMiB = 64;
const maxSeconds = 30;

/** Returns the text at a URL. Follows no redirect. Throws SandboxError if there is none. */
export async function readUrlText(url: string): Promise<string> {
  const refuse = (why: string): SandboxError => new SandboxError(`Cannot read ${new URL(url).host}: ${why}`);
  let response: Response;
  try {
    response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(maxSeconds * 1000) });
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    throw refuse(cause instanceof Error ? cause.message : String(error));
  }
  if (response.status !== 200) throw refuse(`it returned HTTP ${response.status}.`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxMiB * 1024 * 1024) throw refuse(`it sent more than ${maxMiB} MiB.`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks, bytes));
}
