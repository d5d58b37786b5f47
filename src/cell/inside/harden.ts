// Takes away, before any guest byte is seen, what the permission model of Node leaves: signals to other processes,
// changes of identity and priority, and every way to load another module. What is taken here is taken for good; code
// that is already loaded keeps what it holds. Not a border by itself: the process and its outer layers are.

import { registerHooks } from 'node:module';

const FROM_PROCESS = [
  '_debugEnd',
  '_debugProcess',
  '_getActiveHandles',
  '_getActiveRequests',
  '_kill',
  '_linkedBinding',
  '_rawDebug',
  'abort',
  'binding',
  'chdir',
  'dlopen',
  'execve',
  'getBuiltinModule',
  'initgroups',
  'kill',
  'loadEnvFile',
  'openStdin',
  'report',
  'setegid',
  'seteuid',
  'setgid',
  'setgroups',
  'setuid',
  'setSourceMapsEnabled',
  'umask',
] as const;

const FROM_GLOBAL = [
  'BroadcastChannel',
  'EventSource',
  'MessageChannel',
  'Storage',
  'WebSocket',
  'Worker',
  'fetch',
  'localStorage',
  'navigator',
  'sessionStorage',
] as const;

export function harden(): void {
  for (const name of FROM_PROCESS) take(process, name);
  for (const name of FROM_GLOBAL) take(globalThis, name);
  registerHooks({
    resolve(specifier) {
      throw new Error(`Nothing more is loaded in a cell: ${specifier}`);
    },
    load() {
      throw new Error('Nothing more is loaded in a cell');
    },
  });
}

function take(from: object, name: string): void {
  for (let at: object | null = from; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    Reflect.deleteProperty(at, name);
  }
  if (name in from) throw new Error(`A cell cannot be hardened: ${name} stays`);
}
