// `witbox config reload`: tells running servers to read their configuration again, after a look whether it can be read.

import { WitboxError } from '../../core/errors.ts';
import { runningServers } from '../../store/running-servers.ts';
import { defineCommand } from '../command.ts';
import { loadConfigFile } from '../config-file.ts';
import { openStore, STORE_FLAGS } from '../open-store.ts';

export const configReload = defineCommand({
  args: '',
  arity: [0, 0],
  help: `
Tells every server of the data directory that was started with a configuration to read it again. What can be applied
at once is; the server's log says what was applied and what needs a restart. A configuration with problems is refused
here, and changes nothing.

  witbox config reload
  witbox config reload --data-dir /var/lib/witbox
`,
  flags: { config: STORE_FLAGS.config, 'data-dir': STORE_FLAGS['data-dir'] },
  async run({ flags }, io) {
    const { directory } = openStore(flags['data-dir'], io);
    const servers = runningServers(directory);
    if (servers.length === 0) throw new WitboxError('no-server', { directory });
    for (const { config } of servers) await loadConfigFile(config);
    for (const { pid, config } of servers) {
      process.kill(pid, 'SIGHUP');
      io.out(`Told process ${pid} to read ${config} again; its log says what was applied\n`);
    }
    return 0;
  },
});
