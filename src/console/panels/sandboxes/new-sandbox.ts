import type { Schemas } from '../../api.ts';

/** Returns the request body for the form; the server validates it. */
export function newSandboxFrom(form: FormData): Schemas['NewSandbox'] {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const number = (name: string): object => (text(name) === '' ? {} : { [name]: Number(text(name)) });
  const word = (name: string): object => (text(name) === '' ? {} : { [name]: text(name) });
  const [scenario, mode, now] = [text('scenario'), text('mode'), text('now')];
  return {
    ...word('id'),
    ...word('seed'),
    ...word('profile'),
    ...number('randomSeed'),
    ...number('ttlSeconds'),
    ...(scenario === '' ? {} : { scenario: scenario === '-' ? null : scenario }),
    ...(mode === 'real' || mode === 'frozen' ? { clock: { mode, ...(now === '' ? {} : { now }) } } : {}),
    ...(text('assumptions') === '' ? {} : { assumptions: optionsIn(text('assumptions')) }),
  };
}

/** Parses lines such as `batchProcessing=first-only`. */
function optionsIn(lines: string): Readonly<Record<string, string>> {
  const pairs = lines.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    pairs.map((line) => {
      const [name = '', ...option] = line.split('=');
      return [name.trim(), option.join('=').trim()];
    }),
  );
}
