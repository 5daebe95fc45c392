/** Shorter secrets would occur in any text. */
export const shortestSecret = 8;

/** The maximum number of secrets of one kind, because each is searched for in every text of the call. */
const maxSecrets = 500;

/** A secret in its possible spellings, and its masked form. */
export type Form = readonly [form: string, shown: string];

/** A credential may follow the name of its scheme or cookie. */
export function partsOf(value: string): readonly string[] {
  const parts = value.split(/[\s,;]+/).map((part) => {
    const bare = part.slice(part.indexOf('=') + 1);
    return bare.length < shortestSecret ? part : bare;
  });
  return [value, ...parts];
}

/** A key may follow a user, or stand before it. Words and host names are not keys. */
export function keysIn(value: string): readonly string[] {
  return value.split(/[|:]/).filter((part) => /\d/.test(part));
}

/** Returns a part of a query as sent and decoded. A URL in a query is encoded once more. */
export function readingsOf(value: string): readonly string[] {
  const once = decoded(value);
  return [value, once, decoded(once)];
}

function decoded(value: string): string {
  return new URLSearchParams(`v=${value.replaceAll('&', '%26')}`).get('v') ?? '';
}

export function beginningOf(form: string): string {
  return form.slice(0, shortestSecret);
}

/**
 * Secrets as they are, URL-encoded and JSON-encoded, and in `more` spellings. Of very many values, the first ones
 * count.
 */
export function formsOf(
  values: readonly string[],
  shown: (secret: string) => string,
  more: (secret: string) => readonly string[] = () => [],
): readonly Form[] {
  const long = values.filter((value) => value.length >= shortestSecret);
  const secrets = [...new Set(long)].slice(0, maxSecrets);
  return secrets.flatMap((secret) => {
    const inJson = JSON.stringify(secret).slice(1, -1);
    const forms = [
      secret,
      encodeURIComponent(secret),
      new URLSearchParams({ v: secret }).toString().slice(2),
      inJson,
      inJson.replaceAll('/', '\\/'),
      ...more(secret),
    ];
    return [...new Set(forms)].map((form) => [form, shown(secret)] as const);
  });
}

/** A key in other cases, in hexadecimal and in base64, as error messages may repeat it. */
export function encodingsOf(key: string): readonly string[] {
  const bytes = Buffer.from(key);
  const hexadecimal = bytes.toString('hex');
  // After one or two other bytes, such as those of a user and a colon, the key has other letters in base64.
  const base64 = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // The first and last letters depend on the bytes around the key.
    const own = text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [key.toLowerCase(), key.toUpperCase(), hexadecimal, hexadecimal.toUpperCase(), ...base64];
}
