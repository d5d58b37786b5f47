// wasi:io/error: what a stream failed with. Interfaces ask it for their own code (`filesystem-error-code` and others).

import type { HostFailure } from '../../core/port.ts';
import type { HostInstance } from '../../engine/engine.ts';
import { hostResource } from '../../engine/engine.ts';

export interface IoError {
  readonly failure: HostFailure;
}

export const errorResource = hostResource({ name: 'error' });

export function createError(): HostInstance {
  return {
    error: errorResource,
    '[method]error.to-debug-string': (error) => (error as IoError).failure.code,
  };
}
