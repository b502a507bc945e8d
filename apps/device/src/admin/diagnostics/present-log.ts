/** The part of the log that goes along: a day, in milliseconds. */
const LOG_MS = 24 * 60 * 60 * 1000;

const LEVELS: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

/** Fields of a line that are shown otherwise, or name the machine. */
const HIDDEN = new Set(['time', 'level', 'msg', 'pid', 'hostname', 'name']);

/** Fields with the reason of a failure, which would reveal to callers from outside what there is at an address. */
const REASONS = new Set(['reason', 'err']);

/**
 * The log of the last day as text, a line each.
 *
 * @param lines JSON as the logger wrote it
 * @param nowMs milliseconds since the epoch
 * @param via from outside the home no reasons of failing connections
 */
export function presentLog(lines: readonly string[], nowMs: number, via: 'lan' | 'proxy'): string {
  return lines
    .map((line) => JSON.parse(line) as LogLine)
    .filter(({ time }) => time >= nowMs - LOG_MS)
    .map((line) => presentLine(line, via))
    .join('');
}

interface LogLine extends Readonly<Record<string, unknown>> {
  readonly time: number;
  readonly level: number;
  readonly msg?: string;
}

function presentLine(line: LogLine, via: 'lan' | 'proxy'): string {
  const fields = Object.entries(line).filter(
    ([name]) => !HIDDEN.has(name) && (via === 'lan' || !REASONS.has(name)),
  );
  const rest = fields.length === 0 ? '' : ` ${JSON.stringify(Object.fromEntries(fields))}`;
  const level = LEVELS[line.level] ?? String(line.level);
  return `${new Date(line.time).toISOString()} ${level} ${line.msg ?? ''}${rest}\n`;
}
