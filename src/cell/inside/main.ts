// The program that runs in a cell. It takes one component from its pipe, runs calls of it, and ends with its pipe. It
// has no other way in or out: everything it needs is imported here, and then loading is closed.

import type { WireValue } from '../../core/port.ts';
import { WireReader } from '../../core/wire-value.ts';
import { writeDescription } from '../description.ts';
import * as kinds from '../wire/kinds.ts';
import { loadComponent } from './component.ts';
import { harden } from './harden.ts';
import { openPipe } from './pipe.ts';
import { createRunner, type Runner } from './run.ts';

const MOST_REASON = 1000;

// Taken before hardening: the shortest way to end, with no handlers that a guest could have reached.
const { reallyExit } = process as unknown as { reallyExit(code: number): never };
const exit = (): never => reallyExit.call(process, 0);

harden();

let runner: Runner | null = null;
/** Frames that come while the component is being compiled. */
let early: (() => void)[] = [];

const pipe = openPipe(onFrame, () => pipe.flush(), exit);
pipe.frame(kinds.READY, 0);
pipe.flush();

function onFrame(kind: number, call: number, bytes: Buffer, start: number, end: number): void {
  const reader = new WireReader(bytes, start, end);
  switch (kind) {
    case kinds.LOAD:
      void load(reader.value(), reader.rest());
      break;
    case kinds.CALL: {
      const func = reader.varint();
      const outputBytes = reader.varint();
      const session = reader.text();
      const beginning = reader.value();
      const frame = { id: call, func, outputBytes, session, beginning, args: reader.restText() };
      whenLoaded((running) => running.start(frame));
      break;
    }
    case kinds.CANCEL:
      whenLoaded((running) => running.cancel(call));
      break;
    case kinds.REPLY: {
      const request = reader.varint();
      runner?.port(call)?.reply(request, reader.value());
      break;
    }
    case kinds.REFUSE: {
      const request = reader.varint();
      const code = reader.text();
      runner?.port(call)?.refuse(request, code, reader.value());
      break;
    }
    case kinds.FORGET: {
      const session = reader.text();
      whenLoaded((running) => running.forget(session));
      break;
    }
    default:
      exit();
  }
}

function whenLoaded(action: (running: Runner) => void): void {
  if (runner !== null) action(runner);
  else early.push(() => runner && action(runner));
}

async function load(settings: WireValue, bytes: Uint8Array): Promise<void> {
  try {
    const { memoryBytes } = settings as { readonly memoryBytes: number };
    const component = await loadComponent(bytes, memoryBytes, pipe);
    pipe.frame(kinds.LOADED, 0, (out) => out.value(writeDescription(component.description)));
    runner = createRunner(component, pipe);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    pipe.frame(kinds.UNLOADABLE, 0, (out) => out.text(reason.slice(0, MOST_REASON).toWellFormed()));
  }
  pipe.flush();
  const waiting = early;
  early = [];
  for (const action of waiting) action();
}
