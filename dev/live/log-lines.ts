import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

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
type LogPositions = ReadonlyMap<string, number>;

/** A caused line, and the part of its log in which it is due. */
interface Cause {
  readonly line: CausedLine;
  readonly from: LogPositions;
  /** Undefined while its step is being taken. */
  to: LogPositions | undefined;
}

/** The logs of a system: finds lines at the level warn and above that no step has caused. */
export class LogLines {
  readonly #folder: string;
  readonly #causes: Cause[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Takes a step, during which these lines are due, and after which they are not.
   *
   * @param seconds how long the last of them may take once the step has ended
   * @throws when there is one that no log has
   */
  async during(
    lines: readonly CausedLine[],
    step: () => Promise<void>,
    { seconds }: { readonly seconds?: number } = {},
  ): Promise<void> {
    const from = this.#positions();
    const causes = lines.map((line): Cause => ({ line, from, to: undefined }));
    this.#causes.push(...causes);
    try {
      await step();
      await until(
        'the logs have each line that the step causes',
        () => {
          const missing = this.#withoutLine(causes).map(
            ({ line }) => `${line.log}: ${line.pattern} (${line.why})`,
          );
          if (missing.length > 0) throw new Error(missing.join(', '));
          return true;
        },
        seconds === undefined ? {} : { seconds },
      );
    } finally {
      const to = this.#positions();
      for (const cause of causes) cause.to = to;
    }
  }

  /** Lines that are for people to look at and that nothing explains, each after the name of its log. */
  unexplained(): readonly string[] {
    return this.#warnings()
      .filter((warning) => !this.#causes.some((cause) => isCausedBy(cause, warning)))
      .map(({ log, text }) => `${log}: ${text}`);
  }

  #withoutLine(causes: readonly Cause[]): readonly Cause[] {
    if (causes.length === 0) return [];
    const warnings = this.#warnings();
    return causes.filter((cause) => !warnings.some((warning) => isCausedBy(cause, warning)));
  }

  #positions(): LogPositions {
    return new Map([...this.#logs()].map(([name, text]) => [name, text.length]));
  }

  #warnings(): readonly Warning[] {
    return [...this.#logs()].flatMap(([log, whole]) => {
      let position = 0;
      return whole.split('\n').flatMap((text) => {
        const startsAt = position;
        position += text.length + 1;
        return text !== '' && isWarning(log, text) ? [{ log, text, startsAt }] : [];
      });
    });
  }

  /** The text of each log, with that of the file before it. */
  #logs(): ReadonlyMap<string, string> {
    // The first start makes the folder.
    const names = new Set(existsSync(this.#folder) ? readdirSync(this.#folder) : []);
    const files = [...names].filter((file) => file.endsWith('.log'));
    return new Map(
      files.map((file) => {
        const former = names.has(`${file}.1`) ? readFileSync(join(this.#folder, `${file}.1`), 'utf8') : '';
        return [file.slice(0, -'.log'.length), former + readFileSync(join(this.#folder, file), 'utf8')];
      }),
    );
  }
}

/** A line at the level warn or above, or one that has no level. */
interface Warning {
  readonly log: string;
  readonly text: string;
  /** Position of its first character in its log. */
  readonly startsAt: number;
}

function isCausedBy({ line, from, to }: Cause, { log, text, startsAt }: Warning): boolean {
  return (
    log === line.log &&
    startsAt >= (from.get(log) ?? 0) &&
    // A log that was not there yet at the end of the step has none of its lines.
    (to === undefined || startsAt < (to.get(log) ?? 0)) &&
    line.pattern.test(text)
  );
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
