// /ready and /metrics. Whoever runs the server on the same machine may read the figures; others only if the operator
// opened them, or if they may manage the server. To everybody else the page does not exist.

import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Caller } from '../core/caller.ts';
import { WitboxError } from '../core/errors.ts';
import { EXPOSITION_TYPE } from '../telemetry/exposition.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Readiness } from '../telemetry/readiness.ts';
import type { Page } from '../transport/http/page.ts';

export interface MetricsPageOptions {
  /** Who may read without saying who they are. */
  readonly address: 'loopback' | 'any';
  /** Whether a caller that said so may read. */
  readonly mayRead: (caller: Caller) => boolean;
}

export function readyPage(readiness: Readiness): Page {
  return () => {
    const { ready, problems, warnings } = readiness.report();
    const body = JSON.stringify({ status: ready ? 'ready' : 'not ready', problems, warnings });
    return { status: ready ? 200 : 503, type: 'application/json', body };
  };
}

/** `options` is asked anew each time: they may change while the server runs. */
export function metricsPage(metrics: Metrics, options: () => MetricsPageOptions): Page {
  return async (request, identify) => {
    const { address, mayRead } = options();
    if (address !== 'any' && !isFromHere(request) && !mayRead(await identify()))
      throw new WitboxError('http-not-found', { path: '/metrics' });
    return { status: 200, type: EXPOSITION_TYPE, body: metrics.text() };
  };
}

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/** A proxy on this machine speaks for somebody else. */
function isFromHere({ socket, headers }: IncomingMessage): boolean {
  const address = socket.remoteAddress ?? '';
  const bare = isIPv6(address) ? address.replace(/^::ffff:/i, '') : address;
  const isLoopback = bare === '::1' || bare.startsWith('127.');
  return isLoopback && FORWARDED.every((name) => headers[name] === undefined);
}
