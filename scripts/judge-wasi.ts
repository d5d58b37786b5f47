// Runs the WASI project's own test suite (its prebuilt preview 1 programs) against our preview 1, on a real host:
// `node scripts/judge-wasi.ts DIR`, where DIR is a checkout of its branch with binaries. Prints what differs from what
// the suite expects and exits with 1 if anything does that is not listed below with its reason.

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { grantsOf } from '../src/host/grants.ts';
import { createHost, type Host } from '../src/host/host.ts';
import { parsePolicy } from '../src/policy/parse.ts';
import { runCommand } from '../test/support/guest.ts';

/** Node sets file times as doubles, which hold a time of today to about 240 ns; these compare to the nanosecond. */
const KNOWN: ReadonlySet<string> = new Set(['fd_filestat_set', 'path_filestat', 'symlink_filestat']);

interface Case {
  readonly root?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly exit_code?: number;
  readonly stdout?: string;
}

/** What the suite calls the root is a directory beside the program; each run gets a copy. */
function hostFor(folder: string, work: string, { root, env = {} }: Case): Host {
  if (root !== undefined) cpSync(join(folder, root), join(work, root), { recursive: true });
  const keys = Object.keys(env).map((key) => `{key: ${JSON.stringify(key)}}`);
  const policy = parsePolicy(
    `version: "1.0"\npermissions:\n  storage: {allow: [{uri: "fs://${work}/**", access: [read, write]}]}\n  environment: {allow: [${keys.join(', ')}]}\n`,
  );
  const preopens = root === undefined ? [] : [{ hostPath: join(work, root), guestPath: '/', writable: true }];
  return createHost({ componentId: 'judge', grants: { ...grantsOf(policy), preopens }, env });
}

async function judge(folder: string, name: string): Promise<string | null> {
  const specification = join(folder, `${name}.json`);
  const expected: Case = existsSync(specification) ? JSON.parse(readFileSync(specification, 'utf8')) : {};
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'witbox-judge-')));
  const host = hostFor(folder, work, expected);
  try {
    const args = [`${name}.wasm`, ...(expected.args ?? [])];
    const { out, code } = await runCommand(join(folder, `${name}.wasm`), host, { args });
    if (code !== (expected.exit_code ?? 0)) return `exit code ${code}, expected ${expected.exit_code ?? 0}`;
    if (expected.stdout !== undefined && out !== expected.stdout) return `printed ${JSON.stringify(out)}`;
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await host.close();
    rmSync(work, { recursive: true, force: true });
  }
}

const [suite] = process.argv.slice(2);
if (suite === undefined) throw new Error('Give the directory of the test suite');
let [passed, known, failed] = [0, 0, 0];
for (const language of ['assemblyscript', 'c', 'rust']) {
  const folder = join(suite, 'tests', language, 'testsuite', 'wasm32-wasip1');
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.wasm')) continue;
    const name = file.slice(0, -'.wasm'.length);
    const difference = await judge(folder, name);
    if (difference === null) passed++;
    else if (KNOWN.has(name)) known++;
    else {
      failed++;
      console.log(`${language} ${name}: ${difference}`);
    }
  }
}
console.log(`${passed} passed, ${known} differ for a known reason, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
