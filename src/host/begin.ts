// What a guest knows from the start: the environment it was granted, its arguments, its configuration and its opened
// directories. Asked for once in a call, by the first interface that needs any of it.

import type { WireValue } from '../core/port.ts';
import type { Files } from './files/files.ts';
import type { HostOptions } from './host.ts';

/** [environment pairs, arguments, configuration pairs, preopens] */
export function begin({ grants, env = {}, args = [], config = {} }: HostOptions, files: Files): WireValue {
  const granted = (kind: 'environment' | 'config', from: Readonly<Record<string, string | undefined>>) =>
    Object.entries(from).filter(
      (pair): pair is [string, string] =>
        pair[1] !== undefined && grants.decide({ kind, name: pair[0] }).allowed,
    );
  return [granted('environment', env), [...args], granted('config', config), [...files.preopen()]];
}
