import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from '../core/nearest.ts';
import { defineCommand } from './command.ts';
import type { Entry } from './commands.ts';
import { COMMANDS } from './commands.ts';
import { commandHelp, groupHelp } from './help.ts';
import { readInput, readRequest } from './parse.ts';

const command = defineCommand({
  args: 'FILE',
  arity: [1, 2],
  help: '',
  flags: {
    json: { type: 'boolean', summary: 'As JSON' },
    port: { type: 'string', short: 'p', value: 'PORT', summary: 'Where to listen' },
    component: { type: 'string', multiple: true, summary: 'What to load' },
  },
  run: () => undefined,
});
const entry = (name: string): Entry => ({ name, summary: `Does ${name}`, load: async () => command });
const table = ['serve', 'component inspect', 'component load', 'tool call'].map(entry);
const request = (...argv: string[]) => readRequest(argv, table);
const input = (...rest: string[]) => readInput(table[1]!, command, rest);

test('the command is found, and what follows it is left to it', () => {
  assert.deepEqual(request('component', 'load', 'x', '--json'), {
    kind: 'run',
    entry: table[2],
    rest: ['x', '--json'],
  });
  assert.deepEqual(request('serve'), { kind: 'run', entry: table[0], rest: [] });
});

test('help and version are asked for in the usual ways', () => {
  for (const argv of [[], ['--help'], ['-h'], ['help']])
    assert.deepEqual(request(...argv), { kind: 'help', topic: '' });
  assert.deepEqual(request('component', '--help'), { kind: 'help', topic: 'component' });
  assert.deepEqual(request('help', 'tool', 'call'), { kind: 'help', topic: 'tool call' });
  assert.deepEqual(request('component', 'load', 'x', '-h'), { kind: 'help', topic: 'component load' });
  assert.deepEqual(request('-V'), { kind: 'version' });
  assert.equal(request('component', 'load', '--', '--help').kind, 'run');
});

test('flags and arguments are read in any order', () => {
  assert.deepEqual(input('--component', 'a', 'f', '-p', '80', '--component=b', '--json'), {
    args: ['f'],
    program: [],
    flags: Object.assign(Object.create(null), { component: ['a', 'b'], port: '80', json: true }),
  });
  assert.deepEqual(input('--', '--json').args, ['--json']);
});

test('a slip of the pen is one error with the nearest match', () => {
  const cases: [() => unknown, string][] = [
    [() => request('serv'), 'Unknown command "serv" (did you mean "serve"?); see witbox --help'],
    [
      () => request('componant', 'load', 'x'),
      'Unknown command "componant" (did you mean "component load"?); see witbox --help',
    ],
    [
      () => request('component', 'lod'),
      'Unknown command "component lod" (did you mean "component load"?); see witbox component --help',
    ],
    [() => request('component'), '"component" needs a command: inspect, load; see witbox component --help'],
    [() => request('xyzzy', '--help'), 'Unknown command "xyzzy"; see witbox --help'],
    [() => request('--versoin'), 'Unknown flag "--versoin" (did you mean "--version"?); see witbox --help'],
    [
      () => input('x', '--jsn'),
      'Unknown flag "--jsn" (did you mean "--json"?); see witbox component inspect --help',
    ],
    [() => input('x', '--__proto__'), 'Unknown flag "--__proto__"; see witbox component inspect --help'],
    [() => input('x', '-q'), 'Unknown flag "-q"; see witbox component inspect --help'],
    [
      () => input('x', '--json=1'),
      'Flag "--json" takes no value, got "1"; see witbox component inspect --help',
    ],
    [() => input('x', '--port'), 'Flag "--port" needs a value: PORT; see witbox component inspect --help'],
    [() => input('--json'), 'Missing argument: FILE; see witbox component inspect --help'],
    [() => input('a', 'b', 'c'), 'Unexpected argument "c"; see witbox component inspect --help'],
  ];
  for (const [run, message] of cases) assert.throws(run, { code: 'usage', message });
});

test('the nearest word is a slip away, or there is none', () => {
  assert.equal(nearest('inspekt', ['load', 'inspect']), 'inspect');
  assert.equal(nearest('x', ['load', 'inspect']), null);
  assert.equal(nearest('y'.repeat(100_000), ['load']), null);
});

test('every command has help that names its flags', async () => {
  const all = groupHelp('', COMMANDS);
  for (const one of COMMANDS) {
    assert.ok(all.includes(`  ${one.name} `) && all.includes(one.summary));
    const loaded = await one.load();
    const text = commandHelp(one, loaded);
    for (const flag of Object.keys(loaded.flags))
      assert.ok(text.includes(`--${flag}`), `${one.name} --${flag}`);
  }
});
