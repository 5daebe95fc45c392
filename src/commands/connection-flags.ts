import { messageOf } from '../base/message-of.ts';
import { createSecureContext } from 'node:tls';
import { SandboxError } from '../base/errors.ts';
import { isHopByHop } from '../http/hop-by-hop.ts';
import type { ConnectionOptions } from '../http/connection/options.ts';
import { proxyFor } from '../http/connection/proxy-for.ts';
import { isPath, readTextFile } from '../store/text-file.ts';
import type { CommandFlag, Given, Invocation } from './command.ts';

/** The flags of all commands that call the real service, which set how they reach it. */
export const connectionFlags: readonly CommandFlag[] = [
  {
    name: 'header',
    value: "'NAME: VALUE'",
    help: 'header for every request to the service, such as the key of a gateway; repeatable',
  },
  {
    name: 'ca',
    value: 'FILE',
    help: 'additional certificate authorities to trust, in PEM',
  },
  { name: 'cert', value: 'FILE', help: 'client certificate, in PEM; needs --key' },
  {
    name: 'key',
    formerName: 'key-file',
    value: 'FILE',
    help: 'private key of the client certificate, in PEM; needs --cert',
  },
  {
    name: 'insecure',
    value: null,
    help: 'accept any certificate of the service; others on the network can then read and change all calls',
  },
];

/** Reads the flags, and the variables of proxy servers. Throws SandboxError if one is unusable. */
export function readConnection(
  { given, environment, err }: Pick<Invocation, 'given' | 'environment' | 'err'>,
  url: URL,
): ConnectionOptions {
  const options = {
    headers: (given.get('header') ?? []).flatMap(readHeader),
    ca: readPem(given, 'ca'),
    certificate: readCertificate(given),
    isInsecure: given.has('insecure'),
    proxy: proxyFor(url, environment),
  };
  if (options.isInsecure)
    err(
      'lp-sandbox: --insecure: the certificate of the service is not checked. Anyone on the network in between can read the API key and change responses.\n',
    );
  return options;
}

/** Headers that decide how a request is read or who sent it. */
const ownHeaders: ReadonlySet<string> = new Set([
  'host',
  'expect',
  'content-length',
  'content-type',
  'content-encoding',
  'sandbox-proxy',
]);

function readHeader(text: string): readonly [name: string, value: string] {
  const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[\t ]*(.*?)[\t ]*$/s.exec(text) ?? [];
  // The text may be a secret, so messages show at most the name.
  if (name === '')
    throw new SandboxError(
      "--header must be a name, a colon and a value, such as --header 'X-Gateway-Key: k'.",
    );
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw new SandboxError(
      `The value of --header ${name} contains characters that are not allowed in a header.`,
    );
  const lower = name.toLowerCase();
  if (lower === 'service-api-key')
    throw new SandboxError('--header cannot set SERVICE-API-KEY, because each call has its own API key.');
  if (ownHeaders.has(lower) || isHopByHop(lower))
    throw new SandboxError(`--header cannot set ${name}, because it depends on the call or the connection.`);
  return [name, value];
}

function readCertificate(given: Given): ConnectionOptions['certificate'] {
  const cert = readPem(given, 'cert');
  const key = readPem(given, 'key');
  if (cert === null && key === null) return null;
  if (cert === null)
    throw new SandboxError('--key also needs --cert, the file with the certificate of the key.');
  if (key === null)
    throw new SandboxError('--cert also needs --key, the file with the private key of the certificate.');
  requireUsable(
    { cert, key },
    '--cert and --key do not belong together, or one of them is not a PEM file without a password',
  );
  return { cert, key };
}

function readPem(given: Given, flag: 'ca' | 'cert' | 'key'): string | null {
  const path = given.get(flag)?.at(-1);
  if (path === undefined) return null;
  // The path of a key may be an API key.
  const text = readTextFile(path, `--${flag}`, flag === 'key' ? 'FILE' : path);
  if (text === null && flag === 'key') {
    // The value may be an API key that was given with the wrong flag.
    throw new SandboxError(
      '--key: there is no such file. --key is the file with the private key of the client certificate, not the API key.',
    );
  }
  if (text === null)
    throw new SandboxError(
      `--${flag}: ${isPath(path) ? `${path} is not a file, but a folder, a device or a pipe` : `there is no file ${path}`}.`,
    );
  if (!text.includes('-----BEGIN '))
    throw new SandboxError(`--${flag}: ${path} is not a PEM file, which starts with -----BEGIN.`);
  if (flag === 'ca' && !/-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/.test(text))
    throw new SandboxError(`--ca: ${path} contains no certificate.`);
  if (flag === 'ca') requireUsable({ ca: text }, `--ca: ${path} contains no readable certificate`);
  return text;
}

function requireUsable(parts: Parameters<typeof createSecureContext>[0], problem: string): void {
  try {
    createSecureContext(parts);
  } catch (error) {
    throw new SandboxError(`${problem} (${messageOf(error)}).`);
  }
}
