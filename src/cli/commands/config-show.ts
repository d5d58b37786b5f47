// `witbox config show`: what a server would go by, every default included.

import { basename } from 'node:path';
import { configJson, configText } from '../../config/show.ts';
import { defineCommand } from '../command.ts';
import { CONFIG_FLAG, configFile, loadConfigFile } from '../config-file.ts';
import { printJson } from '../open-store.ts';

export const configShow = defineCommand({
  args: '',
  arity: [0, 0],
  help: `
Prints the whole configuration, defaults included; comments say which line of the file a value is from. What is
printed is a configuration again. Flags of "witbox serve" and WITBOX_LOG beat what is shown here.

  witbox config show
  witbox config show --config witbox.yaml --json
`,
  flags: { ...CONFIG_FLAG, json: { type: 'boolean', summary: 'Print the answer as JSON' } },
  async run({ flags }, io) {
    const file = configFile(flags.config, io);
    const loaded = await loadConfigFile(file);
    if (flags.json) printJson(io, configJson(loaded.config));
    else io.out(configText(loaded, file === null ? '' : basename(file)));
    return 0;
  },
});
