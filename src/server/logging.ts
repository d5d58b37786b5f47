// logging/setLevel, and which messages pass a level. Where no level was ever set, a session gets `info` and above.

import { LOG_LEVELS, type LogLevel } from '../core/mcp.ts';
import type { Request, Result } from './dialect.ts';
import { invalid, stringParam } from './params.ts';

export const DEFAULT_LEVEL: LogLevel = 'info';

export function isLogLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.includes(value as LogLevel);
}

export function passes(level: LogLevel, least: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least);
}

export const loggingMethods = {
  'logging/setLevel': (request: Request): Result => {
    const level = stringParam(request.params, 'level');
    if (!isLogLevel(level))
      throw invalid(`"level" must be one of ${LOG_LEVELS.join(', ')}, it is "${level}"`);
    request.session.logLevel = level;
    return request.dialect.seal(request.method, {});
  },
};
