// Runs the calls of a cell: each as soon as the one before it has ended or waits for the host, each on an instance of
// its own, or on its session's. Everything that was answered is written out before guest code runs again: when a guest
// never comes back no answer is lost, and the broker knows which call it is.

import type { WireValue } from '../../core/port.ts';
import type { Value } from '../../wit/value.ts';
import * as kinds from '../wire/kinds.ts';
import type { Program } from './command.ts';
import type { CellComponent, CellFunction, Living } from './component.ts';
import { describeFailure } from './failure.ts';
import type { InstancePort } from './instance-port.ts';
import type { Pipe } from './pipe.ts';

export interface CallFrame {
  readonly id: number;
  readonly func: number;
  readonly outputBytes: number;
  /** Empty without one. */
  readonly session: string;
  /** What the guest may see, if the broker sent it along. */
  readonly beginning: WireValue;
  readonly args: string;
}

export interface Runner {
  start(call: CallFrame): void;
  cancel(id: number): void;
  port(id: number): InstancePort | undefined;
  forget(session: string): void;
}

interface Session {
  living: Living | null;
  /** Calls on one instance never overlap. */
  last: Promise<void>;
}

export function createRunner(component: CellComponent, pipe: Pipe): Runner {
  const ports = new Map<number, InstancePort>();
  const sessions = new Map<string, Session>();
  let preparing = false;

  const prepare = (): void => {
    if (preparing) return;
    preparing = true;
    setImmediate(() => {
      preparing = false;
      component.prepare();
    });
  };

  /** A call may wait within the cell, for a clock: the broker learns here that the next one runs meanwhile. */
  const announce = (call: CallFrame): void => {
    if (component.pure || ports.size === 0) return;
    pipe.frame(kinds.STARTED, call.id);
    pipe.flush();
  };

  const fail = (call: CallFrame, kind: string, message: string, detail: WireValue): void =>
    pipe.frame(kinds.FAILED, call.id, (out) => {
      out.text(kind);
      out.text(message);
      out.value(detail);
    });

  const failWith = (call: CallFrame, error: unknown): void => {
    const { kind, message, detail } = describeFailure(error);
    fail(call, kind, message, detail);
  };

  const answer = (call: CallFrame, func: CellFunction, value: Value): void => {
    component.handles.use(call.session);
    const outcome = func.codec.outcome(value);
    const json = JSON.stringify(outcome.ok ? outcome.value : outcome.error);
    const over = json.length > call.outputBytes || Buffer.byteLength(json) > call.outputBytes;
    if (over) fail(call, 'output', '', null);
    else pipe.frame(outcome.ok ? kinds.OK : kinds.ERR, call.id, (out) => out.utf8(json));
  };

  /** Calls the guest and answers. Gives whether the instance may be used again, now or by promise. */
  const enter = (
    call: CallFrame,
    func: CellFunction,
    args: Value[],
    living: Living,
    program: Program | null,
  ): boolean | Promise<boolean> => {
    const leave = (): void => {
      ports.delete(call.id);
      living.port.detach();
    };
    const done = (value: Value): boolean => {
      leave();
      try {
        answer(call, func, value);
        return true;
      } catch (error) {
        failWith(call, error);
        return false;
      }
    };
    const failed = (error: unknown): boolean => {
      leave();
      failWith(call, error);
      return false;
    };
    pipe.flush();
    if (program !== null) return program.run(living.instance).then(done, failed);
    if (living.instance.suspends) return living.instance.call(func.path, args).then(done, failed);
    let value: Value;
    try {
      value = living.instance.callSync(func.path, args);
    } catch (error) {
      return failed(error);
    }
    return done(value);
  };

  const runFresh = (call: CallFrame, func: CellFunction, args: Value[]): void => {
    announce(call);
    const program = func.command?.begin(args, call.outputBytes) ?? null;
    const end = (living: Living): void => {
      living.instance.dispose();
      if (program === null) prepare();
    };
    const run = (living: Living): void => {
      const reusable = enter(call, func, args, living, program);
      if (typeof reusable === 'boolean') end(living);
      else void reusable.then(() => end(living));
    };
    const living = component.instantiate(call, (port) => ports.set(call.id, port), program?.wasi);
    if (!(living instanceof Promise)) run(living);
    else {
      living.then(run, (error: unknown) => {
        ports.delete(call.id);
        failWith(call, error);
      });
    }
  };

  const runInSession = async (
    call: CallFrame,
    func: CellFunction,
    args: Value[],
    session: Session,
  ): Promise<void> => {
    announce(call);
    try {
      const onPort = (port: InstancePort): void => void ports.set(call.id, port);
      if (session.living === null) session.living = await component.instantiate(call, onPort);
      else {
        session.living.port.attach(call);
        onPort(session.living.port);
      }
    } catch (error) {
      ports.delete(call.id);
      failWith(call, error);
      return;
    }
    if (await enter(call, func, args, session.living, null)) return;
    // An instance that threw is never entered again; the session goes on with a new one.
    session.living.instance.dispose();
    session.living = null;
    component.handles.forget(call.session);
  };

  return {
    start(call) {
      let func: CellFunction;
      let args: Value[];
      try {
        func = component.func(call.func);
        component.handles.use(call.session);
        args = func.codec.args(JSON.parse(call.args));
      } catch (error) {
        failWith(call, error);
        return;
      }
      if (call.session === '' || func.command !== null) {
        runFresh(call, func, args);
        return;
      }
      const session = sessions.get(call.session) ?? { living: null, last: Promise.resolve() };
      sessions.set(call.session, session);
      session.last = session.last.then(() => runInSession(call, func, args, session));
    },
    cancel(id) {
      ports.get(id)?.cancel();
    },
    port: (id) => ports.get(id),
    forget(key) {
      sessions.get(key)?.living?.instance.dispose();
      sessions.delete(key);
      component.handles.forget(key);
    },
  };
}
