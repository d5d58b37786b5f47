// A cell that was taken over and speaks on the wire what an honest one never would. Which lie it tells is what it is
// given as its component, so that every lie is told by a process that has passed as a cell.

import { writeSync } from 'node:fs';
import { Socket } from 'node:net';

const frame = (kind, call, payload = [], length = payload.length) => {
  const header = Buffer.alloc(9);
  header.writeUInt32LE(length, 0);
  header[4] = kind;
  header.writeUInt32LE(call, 5);
  return Buffer.concat([header, Buffer.from(payload)]);
};
const text = (value) => [value.length, ...Buffer.from(value)];
const send = (...frames) => {
  for (const bytes of frames) {
    let at = 0;
    while (at < bytes.length) {
      try {
        at += writeSync(3, bytes, at);
      } catch (error) {
        if (error.code !== 'EAGAIN') process.exit(0);
      }
    }
  }
};

// ['module', [['s32']], [[['f'], [], 0, false]], [], []]
const DESCRIPTION = [
  8,
  5,
  6,
  ...text('module'),
  8,
  1,
  8,
  1,
  6,
  ...text('s32'),
  8,
  1,
  8,
  4,
  8,
  1,
  6,
  ...text('f'),
  8,
  0,
  0x80,
  1,
  8,
  0,
  8,
  0,
];
const POST = [...text('log.stdout'), 8, 0];

const lies = {
  garbage: () => send(Buffer.alloc(4096, 0xee)),
  'a frame of 4 GiB': (call) => send(frame(19, call, [], 0xffffffff)),
  'a frame of unknown kind': (call) => send(frame(99, call)),
  'a kind of the other way': (call) => send(frame(2, call)),
  'an answer to another call': (call) => send(frame(19, call + 1, text('1'))),
  'an answer twice': (call) => send(frame(19, call, [49]), frame(19, call, [50])),
  'ready twice': () => send(frame(16, 0)),
  'loaded twice': () => send(frame(17, 0, DESCRIPTION)),
  'a request of no call': (call) => send(frame(22, call + 7, [1, ...text('begin'), 8, 0])),
  'a request twice': (call) => {
    const request = frame(22, call, [1, ...text('never'), 8, 0]);
    send(request, request);
  },
  'more requests than are allowed': (call) => {
    for (let i = 0; i < 400; i++)
      send(frame(22, call, [(i & 127) | 128, (i >> 7) + 1, ...text('never'), 8, 0]));
  },
  'arguments that are no list': (call) => send(frame(22, call, [1, ...text('begin'), 0])),
  'values that are malformed': (call) => send(frame(22, call, [1, ...text('begin'), 8, 255, 255, 3])),
  'nesting without end': (call) =>
    send(frame(22, call, [1, ...text('begin'), ...Array(2000).fill([8, 1]).flat()])),
  'a failure of unknown kind': (call) => send(frame(21, call, [...text('boom'), 0, 0])),
  'an operation with a long name': (call) => send(frame(23, call, [200, 1, ...Array(200).fill(97), 8, 0])),
  'half a frame and then the end': (call) => {
    send(frame(19, call, [49, 50], 100));
    process.exit(0);
  },
  'the end without a word': () => process.exit(3),
  'a flood of messages': (call) => {
    for (;;) send(Buffer.concat(Array(1000).fill(frame(23, call, POST))));
  },
  'a flood of error output': () => {
    for (;;) writeSync(2, Buffer.alloc(65536, 97));
  },
  'an answer of many megabytes': (call) => send(frame(19, call, Buffer.alloc(20 << 20, 49))),
  'an answer that is too long': (call) => send(frame(19, call, Buffer.alloc(3 << 20, 49))),
};

let lie = '';
let buffer = Buffer.alloc(0);
const socket = new Socket({ fd: 3, readable: true, writable: false });
socket.on('end', () => process.exit(0));
socket.on('data', (chunk) => {
  buffer = Buffer.concat([buffer, chunk]);
  while (buffer.length >= 9 && buffer.length >= 9 + buffer.readUInt32LE(0)) {
    const length = buffer.readUInt32LE(0);
    const kind = buffer[4];
    const call = buffer.readUInt32LE(5);
    const payload = buffer.subarray(9, 9 + length);
    buffer = buffer.subarray(9 + length);
    if (kind === 1) {
      lie = payload.toString('latin1').split('lie:')[1];
      send(frame(17, 0, lie === 'a description of nonsense' ? [8, 1, 0] : DESCRIPTION));
    } else if (kind === 2) lies[lie](call);
  }
});
send(frame(16, 0));
