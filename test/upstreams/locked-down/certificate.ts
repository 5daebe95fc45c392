import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A certificate authority and a certificate of 127.0.0.1, made anew at each start. Everything is PEM. */
export interface Certificates {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const hex = body.length.toString(16);
  const length = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 + length.length]), length, body]);
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, ...parts);
}

/** Object identifiers in their DER form, without tag and length. */
const oids = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  basicConstraints: '551d13',
  keyUsage: '551d0f',
  subjectAltName: '551d11',
  extendedKeyUsage: '551d25',
  serverAuth: '2b06010505070301',
} as const;

function oid(name: keyof typeof oids): Buffer {
  return der(0x06, Buffer.from(oids[name], 'hex'));
}

function nameOf(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid('commonName'), der(0x0c, Buffer.from(commonName)))));
}

function extension(name: keyof typeof oids, isCritical: boolean, value: Buffer): Buffer {
  const critical = isCritical ? [der(0x01, Buffer.from([0xff]))] : [];
  return sequence(oid(name), ...critical, der(0x04, value));
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

interface Subject {
  readonly issuer: string;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly issuerKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

function certify({ issuer, subject, publicKey, issuerKey, extensions }: Subject): string {
  const algorithm = sequence(oid('ecdsaWithSha256'));
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(15)]);
  // UTCTime up to 2049, GeneralizedTime after that.
  const validity = sequence(
    der(0x17, Buffer.from('200101000000Z')),
    der(0x18, Buffer.from('21200101000000Z')),
  );
  const toSign = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    algorithm,
    nameOf(issuer),
    validity,
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', toSign, issuerKey);
  return pem(sequence(toSign, algorithm, der(0x03, Buffer.from([0]), signature)));
}

/** Makes a certificate authority and a certificate of 127.0.0.1 and localhost. */
export function makeCertificates(): Certificates {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = 'Test authority of locked-down';
  const ca = certify({
    issuer,
    subject: issuer,
    publicKey: authority.publicKey,
    issuerKey: authority.privateKey,
    extensions: [
      extension('basicConstraints', true, sequence(der(0x01, Buffer.from([0xff])))),
      // keyCertSign and cRLSign
      extension('keyUsage', true, der(0x03, Buffer.from([0x01, 0x06]))),
    ],
  });
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  const cert = certify({
    issuer,
    subject: '127.0.0.1',
    publicKey: server.publicKey,
    issuerKey: authority.privateKey,
    extensions: [
      extension('basicConstraints', true, sequence()),
      extension('extendedKeyUsage', false, sequence(oid('serverAuth'))),
      extension('subjectAltName', false, names),
    ],
  });
  return { ca, cert, key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
