import { messageOf } from '../base/message-of.ts';
import { SandboxError } from '../base/errors.ts';
import { maskUrls } from '../sandbox/secrets.ts';
import { Session, type ReplicaFacts } from './session.ts';

/** Opens the database of a server that starts. The errors do not show the password. */
export async function connectTo({
  data,
  ...facts
}: ReplicaFacts & { readonly data: string }): Promise<Session> {
  try {
    return await Session.begin(data, facts);
  } catch (error) {
    if (error instanceof SandboxError) throw error;
    const reason = messageOf(error);
    throw new Error(`--data ${shownUrl(data)} cannot be used: ${reason === '' ? 'no connection' : reason}.`, {
      cause: error,
    });
  }
}

/** Returns a URL without its password, which can have any characters. */
function shownUrl(text: string): string {
  const url = new URL(text);
  if (url.password !== '') url.password = '…';
  return maskUrls(url.href).replaceAll('%E2%80%A6', '…');
}
