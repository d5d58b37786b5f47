// What a server goes by: flags, then the environment, then the file, then defaults. Read at the start, and once more
// whenever the server is told to.

import { resolve } from 'node:path';
import type { Config, LoadedConfig } from '../config/config.ts';
import { WitboxError } from '../core/errors.ts';
import type { Io } from './command.ts';
import { configFile, loadConfigFile } from './config-file.ts';

export interface ServeFlags {
  readonly config?: string;
  readonly http?: boolean;
  readonly sse?: boolean;
  readonly websocket?: boolean;
  readonly host?: string;
  readonly port?: string;
  readonly 'allow-origin'?: readonly string[];
  readonly 'allow-host'?: readonly string[];
  readonly 'public-url'?: string;
  readonly 'insecure-no-auth'?: boolean;
  readonly 'tls-certificate'?: string;
  readonly 'tls-key'?: string;
  readonly 'tls-client-ca'?: string;
  readonly 'tls-self-signed'?: boolean;
  readonly component?: readonly string[];
  readonly watch?: readonly string[];
  readonly 'data-dir'?: string;
  readonly 'no-management'?: boolean;
  readonly 'allow-granting'?: boolean;
}

export interface Settings extends LoadedConfig {
  /** Where it came from, absolute; null without a file. */
  readonly file: string | null;
}

/** Throws `file-unreadable`, `config-invalid` or `flag-invalid`. */
export async function loadSettings(flags: ServeFlags, io: Io): Promise<Settings> {
  const file = configFile(flags.config, io);
  const { config, written } = await loadConfigFile(file);
  return { file, written, config: withEnvironment(withFlags(config, flags), flags, io) };
}

function withFlags(config: Config, flags: ServeFlags): Config {
  const named = (['http', 'sse', 'websocket'] as const).filter((one) => flags[one]);
  const { listen, management, authentication } = config;
  const publicUrl = flags['public-url'] ?? listen.publicUrl;
  return {
    ...config,
    components: [...config.components, ...(flags.component ?? [])],
    watch: [...config.watch, ...(flags.watch ?? [])],
    management: {
      enabled: management.enabled && flags['no-management'] !== true,
      granting: management.granting || flags['allow-granting'] === true,
    },
    // Whoever names authorities means that what they signed is asked for.
    authentication: {
      ...authentication,
      certificates: authentication.certificates || flags['tls-client-ca'] !== undefined,
    },
    listen: {
      ...listen,
      host: flags.host ?? listen.host,
      port: flags.port === undefined ? listen.port : readPort(flags.port),
      transports: named.length > 0 ? named : listen.transports,
      allowOrigin: [...listen.allowOrigin, ...(flags['allow-origin'] ?? [])],
      allowHost: [...listen.allowHost, ...(flags['allow-host'] ?? [])],
      ...(publicUrl !== undefined && { publicUrl }),
      insecureNoAuth: listen.insecureNoAuth || flags['insecure-no-auth'] === true,
      tls: withTlsFlags(listen.tls, flags),
    },
  };
}

type Tls = Config['listen']['tls'];

/** A certificate given by flags takes the place of the file's, whole: half of each would be neither. */
function withTlsFlags(tls: Tls, flags: ServeFlags): Tls {
  const { 'tls-certificate': certificate, 'tls-key': key, 'tls-client-ca': clientCa } = flags;
  const authorities = clientCa === undefined ? tls.clientCa : resolve(clientCa);
  const own = authorities === undefined ? {} : { clientCa: authorities };
  if (flags['tls-self-signed']) return { ...own, selfSigned: true };
  if (certificate === undefined && key === undefined) {
    if (clientCa === undefined || tls.selfSigned || tls.certificate !== undefined) return { ...tls, ...own };
    const expected = '--tls-certificate and --tls-key, or --tls-self-signed, beside it';
    throw new WitboxError('flag-invalid', { flag: '--tls-client-ca', value: clientCa, expected });
  }
  if (certificate === undefined || key === undefined) {
    const [flag, other] =
      key === undefined ? ['--tls-certificate', '--tls-key'] : ['--tls-key', '--tls-certificate'];
    throw new WitboxError('flag-invalid', {
      flag,
      value: certificate ?? key,
      expected: `${other} beside it`,
    });
  }
  return { ...own, selfSigned: false, certificate: resolve(certificate), key: resolve(key) };
}

function withEnvironment(config: Config, flags: ServeFlags, { env }: Io): Config {
  const dataDir = flags['data-dir'] ?? (env.WITBOX_DATA_DIR || config.dataDir);
  return {
    ...config,
    ...(dataDir !== undefined && { dataDir: resolve(dataDir) }),
    log: { levels: env.WITBOX_LOG || config.log.levels },
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new WitboxError('flag-invalid', {
      flag: '--port',
      value: text,
      expected: 'a number from 0 to 65535',
    });
  return port;
}
