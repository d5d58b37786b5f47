// What an attacker who runs JavaScript in a cell would try. Each attempt gives something if it got through and throws
// if it did not. Plain JavaScript, run with exactly the flags of a cell; it talks only through the pipe.

import { writeSync } from 'node:fs';

const happens = (emitter, good) =>
  new Promise((resolve, reject) => {
    emitter.on(good, () => resolve(good));
    emitter.on('error', reject);
  });
const module = (name) => import(name);
const must = (value) => {
  if (!value) throw new Error('nothing');
  return value;
};

/** `port` is one on which the test listens, `folder` one that the test may write, `victim` a process of the test. */
export const attempts = {
  'file: read': async () => (await module('node:fs')).readFileSync('/etc/passwd'),
  'file: read by promise': async () => (await module('node:fs/promises')).readFile('/etc/passwd'),
  'file: read by stream': async () =>
    happens((await module('node:fs')).createReadStream('/etc/passwd'), 'data'),
  'file: own executable': async () => (await module('node:fs')).openSync(process.execPath),
  'file: stat': async () => (await module('node:fs')).statSync('/etc/passwd'),
  'file: list': async () => (await module('node:fs')).readdirSync('/'),
  'file: glob': async () => must((await module('node:fs')).globSync('/*').length),
  'file: real path': async () => (await module('node:fs')).realpathSync.native('/etc/../etc'),
  'file: environment in /proc': async () => (await module('node:fs')).readFileSync('/proc/self/environ'),
  'file: parent in /proc': async () =>
    (await module('node:fs')).readFileSync(`/proc/${process.ppid}/environ`),
  'file: out of the code folder': async ({ code }) =>
    (await module('node:fs')).readFileSync(`${code}/../../package-lock.json`),
  'file: write': async ({ folder }) =>
    (await module('node:fs')).writeFileSync(`${folder}/written`, 'x') ?? true,
  'file: make a folder': async ({ folder }) => (await module('node:fs')).mkdirSync(`${folder}/made`) ?? true,
  'file: symbolic link': async ({ folder }) =>
    (await module('node:fs')).symlinkSync('/etc', `${folder}/link`) ?? true,
  'file: copy': async ({ folder }) =>
    (await module('node:fs')).cpSync('/etc/passwd', `${folder}/copy`) ?? true,
  'file: watch': async () => (await module('node:fs')).watch('/tmp'),
  'file: database': async ({ folder }) => {
    const { DatabaseSync } = await module('node:sqlite');
    new DatabaseSync(`${folder}/database`).exec('create table t(a)');
    return true;
  },
  'file: database of the process': ({ folder }) => {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    new DatabaseSync(':memory:').exec(`attach '${folder}/attached' as y; create table y.t(a)`);
    return true;
  },
  'file: report': async ({ folder }) => must(process.report.writeReport(`${folder}/report`)),
  'file: heap snapshot': async ({ folder }) => (await module('node:v8')).writeHeapSnapshot(`${folder}/heap`),
  'file: dot env': () => process.loadEnvFile('/etc/environment') ?? true,
  'file: import': () => module('/etc/hosts'),
  'file: require': async () => (await module('node:module')).createRequire('/')('/etc/hosts'),
  'file: wasi': async () =>
    new (await module('node:wasi')).WASI({ version: 'preview1', preopens: { '/': '/' } }),
  'file: local storage': ({ folder }) => must(localStorage.setItem(folder, 'x') ?? true),
  'socket: tcp': async ({ port }) =>
    happens((await module('node:net')).connect(port, '127.0.0.1'), 'connect'),
  'socket: listen': async () => happens((await module('node:net')).createServer().listen(0), 'listening'),
  'socket: unix': async ({ folder }) =>
    happens((await module('node:net')).connect(`${folder}/socket`), 'connect'),
  'socket: unix listen': async ({ folder }) =>
    happens((await module('node:net')).createServer().listen(`${folder}/own`), 'listening'),
  'socket: udp': async ({ port }) => {
    const socket = (await module('node:dgram')).createSocket('udp4');
    return new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.send('x', port, '127.0.0.1', (error) => (error ? reject(error) : resolve(true)));
    });
  },
  'socket: name lookup': async () => (await module('node:dns/promises')).resolve4('localhost'),
  'socket: fetch': ({ port }) => fetch(`http://127.0.0.1:${port}/`),
  'socket: http': async ({ port }) =>
    happens((await module('node:http')).get(`http://127.0.0.1:${port}/`), 'response'),
  'socket: http2': async ({ port }) =>
    happens((await module('node:http2')).connect(`http://127.0.0.1:${port}/`), 'connect'),
  'socket: tls': async ({ port }) =>
    happens((await module('node:tls')).connect(port, '127.0.0.1'), 'secureConnect'),
  'socket: websocket': ({ port }) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
      socket.onopen = resolve;
      socket.onerror = () => reject(new Error('refused'));
    }),
  'socket: inspector': async () => (await module('node:inspector')).open(0) ?? true,
  'process: spawn': async () =>
    must((await module('node:child_process')).spawnSync('/bin/true').status === 0),
  'process: fork': async () => happens((await module('node:child_process')).fork('/bin/true'), 'spawn'),
  'process: exec in place': () => process.execve('/bin/true', ['true'], {}),
  'process: cluster': async () => (await module('node:cluster')).default.fork(),
  'process: worker': async ({ code }) =>
    happens(new (await module('node:worker_threads')).Worker(`${code}/attempts.js`), 'online'),
  'process: addon': () => process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libc.so.6') ?? true,
  'process: ffi': async () => must((await module('node:ffi')).dlopen('libc.so.6', {})),
  'process: internal binding': () => must(process.binding('process_wrap').Process),
  'process: linked binding': () => must(process._linkedBinding('fs')),
  'process: inspector session': async () => new (await module('node:inspector')).Session().connect() ?? true,
  // biome-ignore lint/security/noGlobalEval: the attacker tries it
  'code: eval': () => globalThis.eval('1'),
  // biome-ignore lint/style/noRestrictedGlobals: the attacker tries it
  'code: function': () => new Function('return 1')(),
  'code: function by a value': () => (() => {}).constructor('return 1')(),
};

/** Closed by an outer layer, or, as far as code in the cell goes, by taking the means away. */
export const signals = {
  // In a namespace of its own a process has no parent, and 0 would mean itself.
  'signal: parent': () => process.kill(must(process.ppid), 0),
  'signal: another process': ({ victim }) => process.kill(victim, 0),
  'signal: raw': ({ victim }) => must(process._kill(victim, 0) === 0),
  'signal: debugger': ({ victim }) => process._debugProcess(victim) ?? true,
  'signal: priority': async ({ victim }) => (await module('node:os')).setPriority(victim, 19) ?? true,
};

/** Only the loader and the process object can give these; after hardening nothing more is loaded. */
export const loading = {
  'load: a module of Node': () => module('node:fs'),
  'load: by the process': () => process.getBuiltinModule('node:fs'),
  'load: data': () => module('data:text/javascript,export default 1'),
  'load: own code': ({ code }) => module(`${code}/attempts.js?again`),
};

export async function tryAll(list, means) {
  const through = [];
  const tried = [];
  for (const [name, attempt] of Object.entries(list)) {
    tried.push(name);
    try {
      const late = new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 500));
      await Promise.race([Promise.resolve().then(() => attempt(means)), late]);
      through.push(name);
    } catch {
      // Refused, as it must be.
    }
  }
  return { tried, through };
}

export function tell(what) {
  writeSync(3, `${JSON.stringify(what)}\n`);
}

/** The test writes what the attacker may know as one line. */
export async function means() {
  const { Socket } = await import('node:net');
  const socket = new Socket({ fd: 3, readable: true, writable: false });
  return new Promise((resolve) => {
    socket.once('data', (line) => resolve(JSON.parse(String(line))));
  });
}
