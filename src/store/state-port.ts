import { Low, Memory } from 'lowdb';
import { DataFile } from 'lowdb/node';
import type { Saved } from './saved.ts';

/** What keeps one sandbox: lowdb's port of two methods, `read` and `write`, over a file or nothing. */
export type StatePort = Low<Saved | null>;

/** Keeps nothing beyond the process. */
export function memoryPort(): StatePort {
  return new Low<Saved | null>(new Memory<Saved | null>(), null);
}

/** Keeps a JSON file, replaced whole at every write, so that it is never half written. */
export function filePort(file: string): StatePort {
  const texts = new WeakMap<object, string>();
  const adapter = new DataFile<Saved | null>(file, {
    // Whatever is in the file: whoever reads it checks it (load-saved.ts).
    parse: (text) => JSON.parse(text) as Saved | null,
    stringify: (saved) => (saved === null ? 'null' : savedText(saved, texts)),
  });
  return new Low<Saved | null>(adapter, null);
}

/** The JSON text of what is saved. Records never change in place, so the text of each is made once. */
function savedText({ changes, ...rest }: Saved, texts: WeakMap<object, string>): string {
  const collections = Object.entries(changes).map(([name, records]) => {
    const lines = Object.entries(records).map(([id, record]) => `\n    ${JSON.stringify(id)}: ${recordText(record, texts)}`);
    return `\n  ${JSON.stringify(name)}: {${lines.join(',')}\n  }`;
  });
  const head = JSON.stringify(rest, null, 2).slice(0, -2);
  return `${head},\n  "changes": {${collections.join(',')}\n  }\n}\n`;
}

function recordText(record: object | null, texts: WeakMap<object, string>): string {
  if (record === null) return 'null';
  const text = texts.get(record) ?? JSON.stringify(record);
  texts.set(record, text);
  return text;
}
