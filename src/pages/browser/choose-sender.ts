import { parseKnown } from '../../base/parse-known.ts';
/** A sandbox with the slugs of its schools. */
interface KnownSandbox {
  readonly id: string;
  readonly schools: readonly { readonly slug: string; readonly name: string }[];
}

/** Sets up the choice of sandbox and school. Calls back with the API key, now and after every change. */
export async function chooseSender(use: (key: string) => void): Promise<void> {
  const sandbox = document.querySelector<HTMLInputElement>('#sandbox');
  const school = document.querySelector<HTMLSelectElement>('#school');
  const list = document.getElementById('sandboxes');
  const shown = document.getElementById('key');
  if (sandbox === null || school === null || list === null || shown === null) return;
  const known = await knownSandboxes();
  const [first] = known;
  // The reader of a proxy's page has a key of the real service.
  if (first === undefined) return;
  list.replaceChildren(...known.map(({ id }) => new Option(id, id)));

  const apply = (): void => {
    const id = sandbox.value.trim() || first.id;
    // A key opens a new sandbox, which has the schools of the default one.
    const { schools } = known.find((one) => one.id === id) ?? first;
    const before = school.value;
    school.replaceChildren(...schools.map(({ slug, name }) => new Option(name, slug)));
    if (schools.some(({ slug }) => slug === before)) school.value = before;
    const isValid = /^[a-z0-9-]{1,64}$/.test(id);
    sandbox.setCustomValidity(isValid ? '' : 'Use a–z, 0–9 and hyphens');
    if (!isValid) return void sandbox.reportValidity();
    const key = `sbx_${id}_${school.value}`;
    shown.textContent = key;
    use(key);
  };
  sandbox.addEventListener('change', apply);
  school.addEventListener('change', apply);
  for (const part of document.querySelectorAll<HTMLElement>('[data-for="sender"]')) part.hidden = false;
  apply();
}

/**
 * Returns the sandboxes of this server; only the default one if the control plane is elsewhere or needs a
 * token; none if the server is a proxy.
 */
async function knownSandboxes(): Promise<readonly KnownSandbox[]> {
  const byKeys = await defaultSandbox();
  if (byKeys.every(({ schools }) => schools.length === 0)) return [];
  const reply = await fetch('/control/sandboxes').catch(() => null);
  if (reply?.ok !== true) return byKeys;
  return parseKnown<{ readonly sandboxes: readonly KnownSandbox[] }>(await reply.text()).sandboxes;
}

/** Returns the default sandbox according to the keys on the start page. */
async function defaultSandbox(): Promise<readonly KnownSandbox[]> {
  const reply = await fetch('/', { headers: { Accept: 'application/json' } });
  const { keys } = parseKnown<{ readonly keys: readonly string[] }>(await reply.text());
  const slugs = keys.map((key) => key.slice('sbx_default_'.length));
  return [{ id: 'default', schools: slugs.map((slug) => ({ slug, name: slug })) }];
}
