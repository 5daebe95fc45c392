import { ask, type Schemas } from '../api.ts';
import { orNull } from '../parts/or-null.ts';

/** The name of the snapshot from before the first step. It marks the sandboxes of demos. */
export const snapshot = 'before-the-demo';

/** Deletes the sandbox of a demo that nobody continues, so that the lists of sandboxes do not grow. */
const ttlSeconds = 3600;

/** The settings that a demo depends on, whatever the defaults of the server are. */
const settings: Schemas['NewSandbox'] = {
  seed: 'demo',
  randomSeed: 1,
  profile: 'conventional',
  scenario: null,
  clock: { mode: 'real' },
  ttlSeconds,
};

/** Creates a sandbox for one demo, so that it disturbs nobody else on the server. */
export async function createDemoSandbox(): Promise<string> {
  const id = `demo-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? ''}`;
  await ask('post', '/control/sandboxes', {}, { ...settings, id });
  await ask('put', '/control/sandboxes/{sandboxId}/limits', { sandboxId: id }, { scale: 1 });
  await ask('put', '/control/sandboxes/{sandboxId}/snapshots/{name}', { sandboxId: id, name: snapshot });
  return id;
}

/** Returns the sandbox of a demo, or null if it was deleted, or is not that of a demo. */
export function findDemoSandbox(sandboxId: string): Promise<Schemas['Sandbox'] | null> {
  return orNull(async () => {
    await ask('get', '/control/sandboxes/{sandboxId}/snapshots/{name}', { sandboxId, name: snapshot });
    return ask('get', '/control/sandboxes/{sandboxId}', { sandboxId });
  });
}

/** Whether there is a sandbox with an id, of a demo or not. */
export async function isSandbox(sandboxId: string): Promise<boolean> {
  return (await orNull(() => ask('get', '/control/sandboxes/{sandboxId}', { sandboxId }))) !== null;
}
