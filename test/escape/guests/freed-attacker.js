// An attacker who has also broken the permission model of Node: everything that Node can do, held by the outer layer
// alone. Each attempt gives something if it got through and throws if it did not.

import { fork, spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import fs from 'node:fs';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import { means, tell, tryAll } from './attempts.js';

process.on('uncaughtException', () => {});
process.on('unhandledRejection', () => {});

const happens = (emitter, good) =>
  new Promise((resolve, reject) => {
    emitter.on(good, () => resolve(good));
    emitter.on('error', reject);
  });
const must = (value) => {
  if (!value) throw new Error('nothing');
  return value;
};

const attempts = {
  'file: read': () => fs.readFileSync('/etc/passwd'),
  'file: read by promise': () => fs.promises.readFile('/etc/passwd'),
  'file: read by stream': () => happens(fs.createReadStream('/etc/passwd'), 'data'),
  'file: import': () =>
    import('/etc/passwd', { with: { type: 'text' } }).catch(() => fs.statSync('/etc/passwd')),
  'file: list': () => fs.readdirSync('/etc'),
  'file: list processes': () => fs.readdirSync('/proc'),
  'file: environment in /proc': () => fs.readFileSync('/proc/self/environ'),
  'file: root of another process': ({ victim }) => fs.readdirSync(`/proc/${victim}/root`),
  'file: descriptors': () => fs.readdirSync('/dev/fd'),
  'file: devices': () => fs.readdirSync('/dev'),
  'file: settings of the kernel': () => fs.readdirSync('/sys'),
  'file: a folder of the test': ({ folder }) => fs.readdirSync(folder),
  'file: beside the code': ({ code }) => fs.readFileSync(`${code}/../beside`),
  'file: through the place of the code': ({ code }) => must(fs.readdirSync(`${code}/..`).length > 1),
  'file: watch': () => must(fs.watch('/etc')),
  'file: database': ({ folder }) => {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    new DatabaseSync(`${folder}/database`).exec('create table t(a)');
    return true;
  },
  'file: write beside the code': ({ code }) => fs.writeFileSync(`${code}/written`, 'x') ?? true,
  'file: write into the root': ({ root }) => fs.writeFileSync(`${root}/written`, 'x') ?? true,
  'file: write into a folder that was made for the root': ({ code }) =>
    fs.mkdirSync(`${code}/../written`) ?? true,
  'file: symbolic link': ({ code }) => fs.symlinkSync('/etc', `${code}/link`) ?? true,
  'file: change of rights': ({ code }) => fs.chmodSync(`${code}/attempts.js`, 0o777) ?? true,
  'file: change of times': ({ code }) => fs.utimesSync(`${code}/attempts.js`, 1, 1) ?? true,
  'socket: tcp': ({ port }) => happens(connect(port, '127.0.0.1'), 'connect'),
  'socket: unix': ({ path }) => happens(connect(path), 'connect'),
  'socket: abstract': ({ abstract }) => happens(connect(`\0${abstract}`), 'connect'),
  'socket: listen': () => happens(createServer().listen(0, '127.0.0.1'), 'listening'),
  'socket: unix listen': ({ folder }) => happens(createServer().listen(`${folder}/own`), 'listening'),
  'socket: abstract listen': ({ abstract }) =>
    happens(createServer().listen(`\0${abstract}-own`), 'listening'),
  'socket: udp': ({ port }) =>
    new Promise((resolve, reject) => {
      const socket = createSocket('udp4');
      socket.on('error', reject);
      socket.send('x', port, '127.0.0.1', (error) => (error ? reject(error) : resolve(true)));
    }),
  'socket: fetch': ({ port }) => fetch(`http://127.0.0.1:${port}/`),
  'process: shell': () => must(spawnSync('/bin/sh', ['-c', 'true']).status === 0),
  'process: node': () => must(spawnSync(process.execPath, ['--version']).status === 0),
  'process: fork': ({ code }) => happens(fork(`${code}/attempts.js`), 'spawn'),
  'process: spawn': () => happens(spawn(process.execPath, ['--version']), 'spawn'),
  // To start it would end the attacker; what is not there cannot be started.
  'process: something to become': () => must(fs.existsSync('/bin/sh')),
  'process: name of the machine': ({ hostname }) => must(os.hostname() === hostname),
  'process: user': () => must(process.getuid() !== 65534),
  'process: change of user': () => process.setuid(0) ?? true,
  'signal: parent': () => process.kill(must(process.ppid), 0),
  'signal: another process': ({ victim }) => process.kill(victim, 0),
  'signal: raw': ({ victim }) => must(process._kill(victim, 0) === 0),
  'signal: group': () => process.kill(0, 0),
  'signal: everybody': () => process.kill(-1, 0),
  'signal: debugger': ({ victim }) => process._debugProcess(victim) ?? true,
  'signal: priority': ({ victim }) => os.setPriority(victim, 19) ?? true,
};

const known = await means();
tell({ ...(await tryAll(attempts, known)), root: fs.readdirSync('/') });
