// All network transports on one port.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.ts';
import { ANYBODY } from '../core/caller.ts';
import { WitboxError } from '../core/errors.ts';
import { createProtocol, type Protocol } from '../protocol/protocol.ts';
import { createServer } from '../server/server.ts';
import { asksForTraces } from '../telemetry/otlp/environment.ts';
import { watchCells, watchTransports } from '../telemetry/server-metrics.ts';
import { type HttpOptions, type HttpTransport, serveHttp } from '../transport/http/http.ts';
import type { TlsFiles } from '../transport/http/tls.ts';
import { openBroker } from './broker.ts';
import { checkExposure, hasAuthentication, hasTls, isLoopback } from './exposure.ts';
import { type Gate, openGate } from './gate.ts';
import { pagesOf } from './pages.ts';
import { selfSignedFiles } from './self-signed-files.ts';
import { serverOptions } from './server-options.ts';
import { brokerOptions, type Serving, unlimited, watchConfig } from './serving.ts';
import { welcome } from './welcome.ts';

export async function serveOnNetwork(serving: Serving, stop: AbortSignal): Promise<undefined> {
  const { config } = serving.settings;
  checkExposure(config);
  warnOfExposure(serving);
  const gate = await gateFor(serving);
  try {
    return await serveBehind(gate, serving, stop);
  } finally {
    await gate?.close();
  }
}

async function serveBehind(gate: Gate | null, serving: Serving, stop: AbortSignal): Promise<undefined> {
  const { log, io } = serving;
  const { config } = serving.settings;
  const broker = await openBroker(brokerOptions(serving), io);
  const server = createServer(gate?.around(broker.catalog) ?? broker.catalog, serverOptions(io.version));
  try {
    const protocol = createProtocol(server, log, gate ? { admission: gate.admission } : {});
    const http = await listen(protocol, await httpOptions(serving, gate, pagesOf(gate, broker, stop)));
    if (gate) {
      watchCells(gate.metrics, broker.cells.state);
      watchTransports(gate.metrics, http.state);
    }
    await broker.ready;
    const tools = broker.catalog.tools(ANYBODY).items;
    const { transports } = config.listen;
    io.err(
      welcome({
        host: http.host,
        port: http.port,
        fingerprint: http.fingerprint,
        transports,
        tools,
        isTerminal: io.isTerminal,
        command: [process.execPath, fileURLToPath(new URL('../../bin/witbox.cjs', import.meta.url))],
        dataDir: serving.dataDir,
        proof: config.authentication.keys ? 'key' : hasAuthentication(config) ? 'other' : 'none',
        publicUrl: config.listen.publicUrl ?? null,
        authority:
          config.listen.tls.selfSigned && http.fingerprint !== null
            ? join(serving.dataDir, 'tls/self-signed.crt')
            : null,
      }),
    );
    using _ = watchConfig(serving, gate, async (next) => {
      checkExposure(next);
      http.reload(guardOptions(next));
    });
    await new Promise<void>((resolve) => {
      if (stop.aborted) resolve();
      stop.addEventListener('abort', () => resolve(), { once: true });
    });
    // In this order: streams that listen end with a result while there is still somebody to tell.
    server.close();
    await http.close();
  } finally {
    server.close();
    await broker.close();
  }
}

/** None for a server on this machine that nobody said anything about: it pays nothing. */
async function gateFor(serving: Serving): Promise<Gate | null> {
  const { settings, io } = serving;
  const { file, config } = settings;
  if (file !== null || !isLoopback(config.listen.host) || hasAuthentication(config))
    return openGate(config, serving);
  return asksForTraces(io.env) ? openGate(unlimited(settings).config, serving) : null;
}

function warnOfExposure({ settings: { config }, log }: Serving): void {
  const { host, insecureNoAuth } = config.listen;
  if (isLoopback(host)) return;
  if (insecureNoAuth) log.warn('anybody who reaches this server may call it', { host });
  if (!hasTls(config))
    log.warn('no TLS: what is sent can be read on the way, unless a proxy does it', { host });
}

async function httpOptions(
  { settings: { config }, dataDir }: Serving,
  gate: Gate | null,
  pages: HttpOptions['pages'],
): Promise<HttpOptions> {
  const { host, port, transports, limits, trustProxy } = config.listen;
  const tls = await tlsFiles(config, dataDir);
  return {
    host,
    port,
    transports,
    limits,
    trustProxy,
    ...guardOptions(config),
    ...(tls && { tls }),
    ...(pages && { pages }),
    ...(gate && {
      authenticate: gate.authenticator.authenticate,
      check: gate.authenticator.check,
      metadata: gate.authenticator.metadata,
      quotas: () => {
        const { caller, address } = gate.config().limits;
        return { sessionsPerCaller: caller.sessions, connectionsPerAddress: address.connections };
      },
    }),
  };
}

async function tlsFiles({ listen }: Config, dataDir: string): Promise<TlsFiles | null> {
  const { certificate, key, clientCa, selfSigned } = listen.tls;
  if (certificate !== undefined && key !== undefined) return { certificate, key, clientCa };
  if (!selfSigned) return null;
  return {
    ...(await selfSignedFiles(dataDir, [listen.host, ...publicName(listen.publicUrl)], new Date())),
    clientCa,
  };
}

const publicName = (url: string | undefined): string[] => (url === undefined ? [] : [new URL(url).hostname]);

function guardOptions({ listen: { allowOrigin, allowHost, publicUrl } }: Config) {
  return { allowedOrigins: allowOrigin, allowedHosts: [...allowHost, ...publicName(publicUrl)] };
}

async function listen(protocol: Protocol, options: HttpOptions): Promise<HttpTransport> {
  try {
    return await serveHttp(protocol, options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new WitboxError('bind-failed', { host: options.host, port: options.port, code }, error);
    }
    throw error;
  }
}
