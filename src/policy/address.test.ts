import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cidrContains, embeddedAddresses, formatAddress, parseAddress, parseCidr } from './address.ts';
import { canonicalHost } from './host.ts';
import { isWhollySpecial, specialRangeOf } from './special-ranges.ts';

const shown = (text: string): string | undefined => {
  const address = parseAddress(text);
  return address && formatAddress(address);
};

test('an address is formatted in its one canonical form', () => {
  for (const [text, canonical] of [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['1:0:2:0:3:0:4:0', '1:0:2:0:3:0:4:0'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::ffff:0a00:0001', '10.0.0.1'],
  ] as const) {
    assert.equal(shown(text), canonical, text);
  }
});

test('formatting and parsing are inverse for random addresses', () => {
  let seed = 7n;
  for (let i = 0; i < 2000; i += 1) {
    seed = (seed * 6364136223846793005n + 1442695040888963407n) % (1n << 128n);
    // Runs of zero groups are what the format has to get right.
    const value = i % 2 === 0 ? seed : seed & 0xffff0000ffff0000000000000000ffffn;
    const address = { family: 6 as const, value };
    assert.deepEqual(
      parseAddress(formatAddress(address)),
      value >> 32n === 0xffffn ? { family: 4, value: value & 0xffffffffn } : address,
    );
  }
});

test('what is no address is not parsed', () => {
  for (const text of [
    '',
    '1.2.3',
    '01.2.3.4',
    '256.1.1.1',
    '1::2::3',
    'fe80::1%eth0',
    ':::',
    '12345::',
    '1.2.3.4 ',
  ]) {
    assert.equal(parseAddress(text), undefined, text);
  }
});

test('a CIDR block must have no bits behind its prefix', () => {
  for (const text of [
    '10.1.2.3/8',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0',
    'fd00::1/8',
    '::ffff:10.0.0.0/95',
    '/8',
    '10.0.0.0/-1',
  ]) {
    assert.equal(parseCidr(text), undefined, text);
  }
  assert.deepEqual(parseCidr('::ffff:10.0.0.0/104'), parseCidr('10.0.0.0/8'));
});

test('a CIDR block contains its own addresses and no others', () => {
  const contains = (cidr: string, address: string): boolean =>
    cidrContains(parseCidr(cidr)!, parseAddress(address)!);
  assert.ok(contains('10.0.0.0/8', '10.255.255.255'));
  assert.ok(contains('0.0.0.0/0', '8.8.8.8'));
  assert.ok(contains('fd00::/8', 'fdff::1'));
  assert.ok(contains('10.0.0.0/8', '::ffff:10.9.9.9'));
  assert.ok(!contains('10.0.0.0/8', '11.0.0.0'));
  assert.ok(!contains('0.0.0.0/0', '::1'));
});

test('every special range is known as such and public addresses are not', () => {
  for (const text of [
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:10::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '4000::1',
    '1fff::1',
  ]) {
    assert.ok(specialRangeOf(parseAddress(text)!), text);
  }
  for (const text of [
    '1.1.1.1',
    '8.8.8.8',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.1',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00::1',
    '2001:200::1',
    '3ffe::1',
  ]) {
    assert.equal(specialRangeOf(parseAddress(text)!), undefined, text);
  }
});

test('only a block that lies inside a special range is a grant of its own', () => {
  assert.ok(isWhollySpecial(parseCidr('10.1.0.0/16')!));
  assert.ok(isWhollySpecial(parseCidr('fd00::/8')!));
  assert.ok(isWhollySpecial(parseCidr('127.0.0.1/32')!));
  assert.ok(!isWhollySpecial(parseCidr('0.0.0.0/0')!));
  assert.ok(!isWhollySpecial(parseCidr('::/0')!));
  assert.ok(!isWhollySpecial(parseCidr('172.0.0.0/8')!));
});

test('the IPv4 address inside a transition address is found', () => {
  const embedded = (text: string): string[] => embeddedAddresses(parseAddress(text)!).map(formatAddress);
  assert.deepEqual(embedded('64:ff9b::7f00:1'), ['127.0.0.1']);
  assert.deepEqual(embedded('2002:7f00:1::'), ['127.0.0.1']);
  assert.deepEqual(embedded('::127.0.0.1'), ['127.0.0.1']);
  assert.deepEqual(embedded('2001:0:1:2:3:4:80ff:fffe'), ['127.0.0.1']);
  assert.deepEqual(embedded('2606:4700::1111'), []);
});

test('canonicalHost gives every spelling of loopback the same text', () => {
  for (const text of [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '[::ffff:127.0.0.1]',
    '::ffff:7f00:1',
    '１２７．0．0．1',
    '0X7F.0.0.1',
  ]) {
    assert.equal(canonicalHost(text)?.text, '127.0.0.1', text);
  }
});

test('canonicalHost folds case, trailing dot and IDN', () => {
  assert.equal(canonicalHost('API.Example.COM.')?.text, 'api.example.com');
  assert.equal(canonicalHost('bücher.example')?.text, 'xn--bcher-kva.example');
  assert.equal(canonicalHost('BÜCHER。example')?.text, 'xn--bcher-kva.example');
});

test('canonicalHost refuses what is no host', () => {
  for (const text of [
    '',
    '.',
    '..',
    'a..b',
    '.a',
    'a b',
    'a/b',
    'a@b',
    '%31',
    'a:80',
    '1.2.3.4.5',
    '256.256.256.256',
    '08.1.1.1',
    '1.2.3.0x',
    'fe80::1%eth0',
    '[127.0.0.1]',
    '[::1',
    '-a.b',
    'a-.b',
    'a\0b',
    'a\nb',
    `${'a'.repeat(64)}.b`,
    'a.'.repeat(200),
    '4294967296',
    '1'.repeat(500),
    '*.example.com',
  ]) {
    // `1.2.3.0x` is the one that a resolver would read as an address.
    const expected = text === '1.2.3.0x' ? '1.2.3.0' : undefined;
    assert.equal(canonicalHost(text)?.text, expected, JSON.stringify(text));
  }
});

test('canonicalHost agrees with the URL standard on every host it accepts', () => {
  const alphabet = ['0', '1', '7', '9', 'x', 'a', 'f', '.', '.', '-', '127', '0x', '255', '256'];
  let seed = 1;
  for (let i = 0; i < 5000; i += 1) {
    let text = '';
    for (let n = 0; n < 1 + (i % 8); n += 1) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      text += alphabet[(seed >>> 8) % alphabet.length];
    }
    const host = canonicalHost(text);
    if (host) assert.equal(host.text, new URL(`http://${text}`).hostname.replace(/\.$/, ''), text);
  }
});
