// The one question a policy answers: may this be done? Pure. Deny beats allow, and no matching rule means no.
// Adding a deny rule never allows anything, adding an allow rule never denies anything. What cannot be understood
// (a relative path, no host name) is denied.

import { type Address, embeddedAddresses, formatAddress, parseAddress } from './address.ts';
import { isLocalhostTarget, targetCoversAddress, targetCoversName } from './endpoint.ts';
import { globMatches, globMatchesAtOrAbove } from './glob.ts';
import { canonicalHost, type Host } from './host.ts';
import { permissionOf } from './permission.ts';
import type { NetworkRule, Policy, Rule } from './policy.ts';
import type {
  NamedRequest,
  NetworkRequest,
  PolicyRequest,
  SecretRequest,
  StorageRequest,
} from './request.ts';
import { isLoopback, specialRangeOf } from './special-ranges.ts';
import { pathSegments } from './storage-uri.ts';

export interface Decision {
  readonly allowed: boolean;
  /** The rule that decided, as the document wrote it, and its line; null if none did. */
  readonly rule: string | null;
  readonly line: number | null;
  readonly reason: string;
  /** What was asked for: `network:api.example.com`; or, if the name is granted and its address is not, that address. */
  readonly permission: string;
}

/** `missing` is what would have to be granted, where that is not the whole of what was asked for. */
type Verdict = { readonly rule: Rule } | { readonly reason: string; readonly missing?: PolicyRequest };

export function decide(policy: Policy, request: PolicyRequest): Decision {
  const verdict = judge(policy, request);
  const rule = 'rule' in verdict ? verdict.rule : null;
  return {
    allowed: rule?.effect === 'allow',
    rule: rule?.text ?? null,
    line: rule?.line ?? null,
    reason: 'reason' in verdict ? verdict.reason : ruleReason(verdict.rule),
    permission: permissionOf('missing' in verdict && verdict.missing ? verdict.missing : request),
  };
}

function judge(policy: Policy, request: PolicyRequest): Verdict {
  if (request.kind === 'storage') return judgeStorage(policy, request);
  if (request.kind === 'network') return judgeNetwork(policy, request);
  return request.kind === 'secret' ? judgeSecret(policy, request) : judgeNamed(policy, request);
}

function judgeNamed(policy: Policy, { kind, name }: NamedRequest): Verdict {
  const { deny, allow } = policy[kind];
  const rule = deny.find((each) => each.name === name) ?? allow.find((each) => each.name === name);
  return rule ? { rule } : { reason: `${NAMES[kind]} not in allowlist` };
}

function judgeSecret({ secrets }: Policy, { name }: SecretRequest): Verdict {
  const rule = secrets.allow.find(({ key }) => key === name);
  return rule ? { rule } : { reason: 'Secret not in allowlist' };
}

const NAMES = {
  environment: 'Environment variable',
  config: 'Configuration key',
  keyvalue: 'Bucket',
  mcp: 'MCP capability',
} as const;

function judgeStorage({ storage }: Policy, { path, access }: StorageRequest): Verdict {
  const names = pathSegments(path);
  if (!names) return { reason: 'Path is not absolute or not plain' };
  const denied = storage.deny.find(
    (rule) => rule.access.includes(access) && globMatchesAtOrAbove(rule.glob, names),
  );
  if (denied) return { rule: denied };
  const allowed = storage.allow.find((rule) => rule.access.includes(access) && globMatches(rule.glob, names));
  return allowed ? { rule: allowed } : { reason: 'Path not in allowlist' };
}

function judgeNetwork({ network }: Policy, request: NetworkRequest): Verdict {
  const host = canonicalHost(request.host);
  if (!host) return { reason: 'Host name is not valid' };
  const address = request.address == null ? addressOf(host) : parseAddress(request.address);
  if (request.address != null && !address) return { reason: 'Address is not valid' };
  if (host.kind === 'address' && address?.value !== host.address.value)
    return { reason: 'Address is not the host asked for' };

  const denied = network.deny.find((rule) => servesAll(rule, request) && deniesHost(rule, host, address));
  if (denied) return { rule: denied };
  const allow = network.allow.filter((rule) => serves(rule, request));
  const granted = allow.filter((rule) => targetCoversName(rule.target, host));
  if (granted.length === 0) return { reason: 'Host not in allowlist' };
  const special = address && specialRangeOf(address);
  if (!special) return { rule: granted[0]! };
  // The rule to name is the one that is both; a grant for the name and another for the address will do as well.
  const own = granted.find((rule) => isOwnGrant(rule, host, address));
  if (own) return { rule: own };
  if (allow.some((rule) => isOwnGrant(rule, host, address))) return { rule: granted[0]! };
  const text = formatAddress(address);
  return {
    reason: `Address ${text} is ${special} and needs a grant of its own`,
    missing: { ...request, host: text },
  };
}

function addressOf(host: Host): Address | undefined {
  return host.kind === 'address' ? host.address : undefined;
}

/** A request that leaves scheme or port open (a name lookup) is served by a rule for any of them … */
function serves(rule: NetworkRule, { scheme, port }: NetworkRequest): boolean {
  return (
    (rule.scheme === undefined || scheme == null || rule.scheme === scheme) &&
    (rule.port === undefined || port == null || rule.port === port)
  );
}

/** … and denied only by a rule for all of them. */
function servesAll(rule: NetworkRule, { scheme, port }: NetworkRequest): boolean {
  return (
    (rule.scheme === undefined || rule.scheme === scheme) && (rule.port === undefined || rule.port === port)
  );
}

function deniesHost(rule: NetworkRule, host: Host, address: Address | undefined): boolean {
  if (targetCoversName(rule.target, host)) return true;
  return (
    address !== undefined &&
    [address, ...embeddedAddresses(address)].some((each) => targetCoversAddress(rule.target, each))
  );
}

function isOwnGrant({ target }: NetworkRule, host: Host, address: Address): boolean {
  if (target.kind === 'block') return target.own && targetCoversAddress(target, address);
  return isLocalhostTarget(target) && targetCoversName(target, host) && isLoopback(address);
}

function ruleReason({ section, effect, line }: Rule): string {
  return effect === 'allow'
    ? `Allowed by ${section}.allow, line ${line}`
    : `Denied by ${section}.deny, line ${line}`;
}
