// Which addresses are counted together, since they are in one hand.

/**
 * The address that limits go by: IPv4 as it is, also when it is written as IPv6; of IPv6 the network, since whoever has
 * one address of a /64 has all of them.
 */
export function addressKey(address: string): string {
  const lower = address.toLowerCase().replace(/%.*$/, '');
  if (!lower.includes(':')) return lower;
  const mapped = /^(?:0*:)*:?ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(lower);
  if (mapped !== null) return mapped[1]!;
  const [front = '', back] = lower.split('::', 2);
  const groups = front === '' ? [] : front.split(':');
  const rest = back === undefined || back === '' ? [] : back.split(':');
  while (groups.length + rest.length < 8 && back !== undefined) groups.push('0');
  const network = [...groups, ...rest].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}
