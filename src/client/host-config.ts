// Servers by name, from the files in which the usual hosts keep them: Claude Desktop and Code, VS Code, Cursor. Files are
// data: an entry becomes a target and nothing is run here. A value that asks for something unknown is refused, never
// passed on with a hole in it.

import { join } from 'node:path';
import { WitboxError } from '../core/errors.ts';
import { isJsonObject, type Json, type JsonObject, own, parseJson } from '../core/json.ts';
import { withoutComments } from './jsonc.ts';
import { addressTarget, type Target } from './target.ts';

const MAX_DEPTH = 50;

export interface Surroundings {
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where hosts look, the nearest first. */
export function hostConfigFiles({ cwd, home, platform, env }: Surroundings): string[] {
  const settings =
    platform === 'darwin'
      ? join(home, 'Library/Application Support')
      : platform === 'win32'
        ? (env.APPDATA ?? join(home, 'AppData/Roaming'))
        : (env.XDG_CONFIG_HOME ?? join(home, '.config'));
  return [
    join(cwd, '.mcp.json'),
    join(cwd, '.vscode/mcp.json'),
    join(cwd, '.cursor/mcp.json'),
    join(home, '.cursor/mcp.json'),
    join(settings, 'Claude/claude_desktop_config.json'),
    join(settings, 'Code/User/mcp.json'),
  ];
}

/** The entry of that name; null if the file has none. Both `mcpServers` and `servers` are known. */
export function serverEntry(text: string, file: string, name: string): JsonObject | null {
  const invalid = (problem: string, cause?: unknown) =>
    new WitboxError('server-config', { file, problem }, cause);
  let whole: Json;
  try {
    whole = parseJson(withoutComments(text), MAX_DEPTH);
  } catch (error) {
    throw invalid((error as Error).message, error);
  }
  if (!isJsonObject(whole)) throw invalid('it is not a JSON object');
  const servers = own(whole, 'mcpServers') ?? own(whole, 'servers');
  if (!isJsonObject(servers)) return null;
  const entry = own(servers, name);
  if (entry === undefined) return null;
  if (!isJsonObject(entry)) throw invalid(`"${name}" is not an object`);
  return entry;
}

export function entryTarget(entry: JsonObject, file: string, name: string, around: Surroundings): Target {
  const invalid = (problem: string) =>
    new WitboxError('server-config', { file, problem: `"${name}" ${problem}` });
  const text = (value: Json | undefined, what: string): string => {
    if (typeof value !== 'string') throw invalid(`has a ${what} that is not a string`);
    return value.replace(/\$\{([^}]*)\}/g, (_, variable: string) => {
      const found = variableValue(variable, around);
      if (found === undefined) throw invalid(`uses \${${variable}}, which has no value here`);
      return found;
    });
  };
  const texts = (value: Json | undefined, what: string): Record<string, string> => {
    if (value === undefined) return {};
    if (!isJsonObject(value)) throw invalid(`has ${what} that are not an object`);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, text(one, `value "${key}"`)]));
  };

  const url = own(entry, 'url');
  if (url !== undefined) {
    const target = addressTarget(text(url, 'url'), texts(own(entry, 'headers'), 'headers'));
    if (target === null || target.transport === 'stdio') throw invalid('has a url that is no address');
    return own(entry, 'type') === 'sse' ? { ...target, transport: 'sse' } : target;
  }
  const args = own(entry, 'args') ?? [];
  if (!Array.isArray(args)) throw invalid('has args that are not an array');
  const cwd = own(entry, 'cwd');
  return {
    transport: 'stdio',
    command: text(own(entry, 'command'), 'command'),
    args: args.map((one: Json) => text(one, 'argument')),
    env: texts(own(entry, 'env'), 'env'),
    ...(cwd !== undefined && { cwd: text(cwd, 'cwd') }),
  };
}

/** `${env:NAME}`, `${NAME}`, `${NAME:-default}`, and the folders that editors know. */
function variableValue(variable: string, { cwd, home, env }: Surroundings): string | undefined {
  if (variable === 'workspaceFolder') return cwd;
  if (variable === 'userHome') return home;
  const [, name = '', fallback] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/.exec(variable) ?? [];
  return (name && env[name]) || fallback;
}
