// A certificate that signs itself, for a try: P-256, for the names given, for one year. It is no authority: it can
// vouch for this server and for nothing else.

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import {
  bits,
  boolean,
  explicit,
  identifier,
  implicit,
  integer,
  octets,
  sequence,
  set,
  utcTime,
  utf8,
} from './der.ts';

export interface SelfSigned {
  readonly certificate: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
const DAYS = 365;
const ID = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const;

/** `names`: host names and IP addresses. */
export function makeSelfSigned(names: readonly string[], now: Date): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(identifier(ID.ecdsaWithSha256));
  const name = sequence(set(sequence(identifier(ID.commonName), utf8('Witbox self-signed'))));
  // Positive and of full length, whatever the dice say.
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x3f) | 0x40;
  const from = new Date(now.getTime() - DAY_MS);
  const until = new Date(now.getTime() + DAYS * DAY_MS);
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serial),
    algorithm,
    name,
    sequence(utcTime(from), utcTime(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, extensions(names)),
  );
  const certificate = sequence(body, algorithm, bits(sign('sha256', body, privateKey)));
  return {
    certificate: pem(certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

function extensions(names: readonly string[]): Buffer {
  const critical = boolean(true);
  const digitalSignature = bits(Buffer.from([0x80]), 7);
  return sequence(
    sequence(identifier(ID.basicConstraints), critical, octets(sequence())),
    sequence(identifier(ID.keyUsage), critical, octets(digitalSignature)),
    sequence(identifier(ID.extendedKeyUsage), octets(sequence(identifier(ID.serverAuth)))),
    sequence(identifier(ID.alternativeNames), octets(sequence(...names.map(alternative)))),
  );
}

/** RFC 5280, section 4.2.1.6. */
function alternative(name: string): Buffer {
  return isIP(name) === 0 ? implicit(2, Buffer.from(name, 'latin1')) : implicit(7, addressBytes(name));
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [front = '', back] = address.split('::', 2);
  const groups = (text: string | undefined): string[] => (text ? text.split(':') : []);
  const [left, right] = [groups(front), groups(back)];
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return Buffer.from([...left, ...zeros, ...right].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
