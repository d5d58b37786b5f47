// JSON lines for operators, one object per line, to the stream it is given (stderr in the CLI; never stdout, which
// belongs to MCP). Levels are per area: `WITBOX_LOG=info` or `protocol=trace,cell=debug`. Every line is redacted here.

import { WitboxError } from './errors.ts';
import { createRedactor, type Redactor } from './redact.ts';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

type Level = (typeof LEVELS)[number];
type Fields = Readonly<Record<string, unknown>>;

export interface Logger {
  trace(event: string, fields?: Fields): void;
  debug(event: string, fields?: Fields): void;
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
  /** The same output with the level of another area. */
  area(name: string): Logger;
}

export interface LogOptions {
  /** The value of WITBOX_LOG; absent means `info`. Levels that can change while the logger is used, or text that cannot. */
  readonly levels?: LogLevels | string | undefined;
  readonly write: (line: string) => void;
  readonly now?: () => Date;
  /** Knows the secrets of this process; without it only what looks like one is taken out. */
  readonly redactor?: Redactor;
}

export interface LogLevels {
  /** Grows with every change. */
  readonly version: number;
  /** Index of the least level that an area logs. */
  least(area: string): number;
  /** For all loggers that have these levels, from now on. Throws `log-level` and changes nothing if they cannot be read. */
  set(text: string): void;
}

export function createLogLevels(text = 'info'): LogLevels {
  let levels = parseLevels(text);
  let version = 0;
  return {
    get version() {
      return version;
    },
    least: (area) => LEVELS.indexOf(levels.get(area) ?? levels.get('') ?? 'info'),
    set(next) {
      levels = parseLevels(next);
      version++;
    },
  };
}

// What JSON leaves as it is and a terminal would act on: the other control characters, and what turns the direction of
// text or has no width. Names and messages of guests get here.
const UNSEEN = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

const visible = (json: string): string =>
  json.replace(UNSEEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

export function createLogger(options: LogOptions): Logger {
  const levels = typeof options.levels === 'object' ? options.levels : createLogLevels(options.levels);
  const now = options.now ?? (() => new Date());
  const redactor = options.redactor ?? createRedactor();
  const area = (name: string): Logger => {
    let { version } = levels;
    let least = levels.least(name);
    const isLogged = (level: Level): boolean => {
      if (version !== levels.version) [version, least] = [levels.version, levels.least(name)];
      return LEVELS.indexOf(level) >= least;
    };
    const at =
      (level: Level) =>
      (event: string, fields: Fields = {}): void => {
        if (!isLogged(level)) return;
        const line = { time: now().toISOString(), level, area: name, event, ...fields };
        // The copy has no cycles and no bigints: a line of log must never throw.
        options.write(`${visible(JSON.stringify(redactor.value(line)))}\n`);
      };
    return {
      trace: at('trace'),
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      area,
    };
  };
  return area('witbox');
}

function parseLevels(text: string): Map<string, Level> {
  const levels = new Map<string, Level>();
  for (const part of text.split(',')) {
    const [left, right] = part.split('=', 2).map((side) => side.trim());
    const level = (right ?? left) as Level;
    if (!LEVELS.includes(level))
      throw new WitboxError('log-level', { value: part, levels: LEVELS.join(', ') });
    levels.set(right === undefined ? '' : left!, level);
  }
  return levels;
}
