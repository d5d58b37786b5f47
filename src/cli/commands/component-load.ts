// `witbox component load`: checks a component and keeps it in the data directory. Nothing of it is run, and nothing is
// granted to it, whatever policy comes along.

import { WitboxError } from '../../core/errors.ts';
import { documentJson } from '../../policy/document.ts';
import { fetchComponent } from '../../store/source/source.ts';
import { defineCommand } from '../command.ts';
import { inspect } from '../inspection.ts';
import { openStore, printJson, STORE_FLAGS } from '../open-store.ts';

export const componentLoad = defineCommand({
  args: 'PATH-OR-URI',
  arity: [1, 1],
  help: `
Keeps a component in the data directory, so that it is served from now on. Nothing is granted to it: see
"witbox permission grant --help". Loading the same file again replaces it; if its bytes have changed, its
grants are taken back unless --keep-policy is given.

  witbox component load weather.wasm
  witbox component load https://example.com/weather.wasm#sha256=4f2a…
  witbox component load oci://registry.example.com/tools/weather:1.2
`,
  flags: {
    id: { type: 'string', value: 'ID', summary: 'Name it so; else the name of the file is taken' },
    digest: { type: 'string', value: 'sha256:HEX', summary: 'Refuse any other bytes' },
    session: { type: 'boolean', summary: 'Keep one instance per session, for components with state' },
    'keep-policy': { type: 'boolean', summary: 'Keep the grants although the bytes have changed' },
    'allow-private': { type: 'boolean', summary: 'Let https: and oci: lead to hosts of a private network' },
    ...STORE_FLAGS,
  },
  async run({ args: [reference = ''], flags }, io) {
    const fetched = await fetchComponent(reference, {
      directory: process.cwd(),
      digest: flags.digest,
      signal: io.stopSignal(),
      https: { allowPrivate: flags['allow-private'] ?? false },
    });
    const tools = await toolsOf(reference, fetched.bytes);
    const store = openStore(flags['data-dir'], io);
    const stored = await store.load(fetched, {
      id: flags.id,
      config: flags.session ? { instance: 'session' } : undefined,
      keepPolicy: flags['keep-policy'],
    });
    if (flags.json) {
      printJson(io, { ...stored, tools, requestsPolicy: fetched.requested !== undefined });
      return;
    }
    io.out(
      `Loaded "${stored.id}": ${tools.length === 1 ? '1 tool' : `${tools.length} tools`}, ${stored.digest}\n`,
    );
    if (fetched.requested !== undefined && asksForSomething(fetched.requested)) {
      io.out(`It asks for permissions. See them: witbox policy get ${stored.id} --requested\n`);
    }
  },
});

/** A policy may come along only to say that nothing is needed. */
function asksForSomething(requested: string): boolean {
  try {
    const { permissions } = (documentJson(requested) ?? {}) as { readonly permissions?: object | null };
    return Object.keys(permissions ?? {}).length > 0;
  } catch {
    return true; // nobody knows: let a person look at it
  }
}

async function toolsOf(source: string, bytes: Uint8Array): Promise<readonly string[]> {
  try {
    const { inspection } = await inspect(bytes);
    return inspection.tools.map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof WitboxError)) throw error;
    throw new WitboxError('source-unreadable', { source, problem: error.message }, error);
  }
}
