import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Level of pino from which a line is for people to look at. */
const WARN = 40;

/** Programs that log JSON alone. */
const JSON_LOGS: ReadonlySet<string> = new Set(['cloud', 'proxy', 'device']);

/** A log, by the name of its file without the ending. */
export type LogName = 'cloud' | 'proxy' | 'device' | 'plant' | 'postgres';

/** A line that a step makes a program log. */
export interface CausedLine {
  readonly log: LogName;
  readonly pattern: RegExp;
  /** Why the line is due. */
  readonly why: string;
}

/** Position in each log, in characters. */
export type LogPositions = ReadonlyMap<string, number>;

interface Cause {
  readonly line: CausedLine;
  readonly from: LogPositions;
}

/** The logs of a system: finds lines at the level warn and above that no step has caused. */
export class LogLines {
  readonly #folder: string;
  readonly #causes: Cause[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** From now on these lines are due. */
  expect(lines: readonly CausedLine[]): void {
    const from = new Map([...this.#logs()].map(([name, text]) => [name, text.length]));
    this.#causes.push(...lines.map((line) => ({ line, from })));
  }

  /** These lines were due from the beginning. */
  explain(lines: readonly CausedLine[]): void {
    this.#causes.push(...lines.map((line) => ({ line, from: new Map() })));
  }

  /** Lines that are for people to look at and that nothing explains, each after the name of its log. */
  unexplained(): readonly string[] {
    return [...this.#logs()].flatMap(([name, text]) => {
      let position = 0;
      return text.split('\n').flatMap((line) => {
        const startsAt = position;
        position += line.length + 1;
        if (line === '' || !isWarning(name, line)) return [];
        const explained = this.#causes.some(
          ({ line: { log, pattern }, from }) =>
            log === name && startsAt >= (from.get(name) ?? 0) && pattern.test(line),
        );
        return explained ? [] : [`${name}: ${line}`];
      });
    });
  }

  /** The text of each log, with that of the file before it. */
  #logs(): ReadonlyMap<string, string> {
    const files = readdirSync(this.#folder).filter((file) => file.endsWith('.log'));
    const names = new Set(readdirSync(this.#folder));
    return new Map(
      files.map((file) => {
        const former = names.has(`${file}.1`) ? readFileSync(join(this.#folder, `${file}.1`), 'utf8') : '';
        return [file.slice(0, -'.log'.length), former + readFileSync(join(this.#folder, file), 'utf8')];
      }),
    );
  }
}

function isWarning(name: string, line: string): boolean {
  if (name === 'postgres') return /\b(?:WARNING|ERROR|FATAL|PANIC): /.test(line);
  if (!JSON_LOGS.has(name)) return true;
  return !(levelOf(line) < WARN);
}

/** NaN for a line that is no JSON, or has no level. */
function levelOf(line: string): number {
  try {
    return Number((JSON.parse(line) as { level?: unknown }).level);
  } catch {
    return Number.NaN;
  }
}
