// An authority for client certificates, and certificates that it signs, for tests of mutual TLS.

import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
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
} from '../../src/transport/http/der.ts';

interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  /** PEM. */
  readonly cert: string;
  issue(subject: Subject): Pair;
}

export interface Subject {
  readonly name?: string;
  readonly units?: readonly string[];
  readonly uri?: string;
}

const ID = { name: '2.5.4.3', unit: '2.5.4.11', ecdsaWithSha256: '1.2.840.10045.4.3.2' };
const CONSTRAINTS = '2.5.29.19';
const ALTERNATIVES = '2.5.29.17';

export function createAuthority(name = 'Test authority'): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = distinguished({ name });
  const isAuthority = sequence(identifier(CONSTRAINTS), boolean(true), octets(sequence(boolean(true))));
  return {
    cert: certificate(issuer, issuer, own.publicKey, own.privateKey, [isAuthority]),
    issue(subject) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const { uri } = subject;
      const more =
        uri === undefined
          ? []
          : [sequence(identifier(ALTERNATIVES), octets(sequence(implicit(6, Buffer.from(uri)))))];
      return {
        cert: certificate(issuer, distinguished(subject), publicKey, own.privateKey, more),
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      };
    },
  };
}

function distinguished({ name, units = [] }: Subject): Buffer {
  const part = (id: string, text: string): Buffer => set(sequence(identifier(id), utf8(text)));
  return sequence(
    ...units.map((unit) => part(ID.unit, unit)),
    ...(name === undefined ? [] : [part(ID.name, name)]),
  );
}

function certificate(
  issuer: Buffer,
  subject: Buffer,
  publicKey: KeyObject,
  signer: KeyObject,
  extensions: readonly Buffer[],
): string {
  const algorithm = sequence(identifier(ID.ecdsaWithSha256));
  const serial = Buffer.concat([Buffer.from([0x41]), randomBytes(8)]);
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serial),
    algorithm,
    issuer,
    sequence(utcTime(new Date(Date.now() - 60_000)), utcTime(new Date(Date.now() + 3_600_000))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [explicit(3, sequence(...extensions))] : []),
  );
  const text = sequence(body, algorithm, bits(sign('sha256', body, signer))).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${text.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`;
}
