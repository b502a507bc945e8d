import type { MetricValue } from '@heliograph/metrics';
import { batteryUnit } from '../battery-unit.ts';
import { type Hardware, NotRecognised, type Reading, type Unit } from '../driver.ts';
import { type Entry, hasNewQuantity, readingOf } from '../entries.ts';
import { RequestRefused } from '../frame-errors.ts';
import { Rotation } from '../rotation.ts';
import { parseInfo } from './console-info.ts';
import { type ConsoleModule, parsePwr } from './console-table.ts';
import { consoleRule, encodeCommand, linesOf } from './console-text.ts';
import type { PylontechLine } from './line.ts';

/** The modules of a stack, as the master shows them on its console. */
export class ConsoleHardware implements Hardware {
  readonly units: readonly Unit[];
  readonly #line: PylontechLine;
  readonly #numbers: readonly number[];
  readonly #rotation: Rotation;
  #needsReopen = false;
  /** Numbers of the modules that the last poll listed. */
  #listed: readonly number[];

  private constructor(line: PylontechLine, modules: readonly ConsoleModule[], rotation: Rotation) {
    this.#line = line;
    this.#numbers = modules.map(({ number }) => number);
    this.#rotation = rotation;
    this.#listed = this.#numbers;
    this.units = modules.map(({ entries }, unit) => batteryUnit([...entries, ...rotation.entriesOf(unit)]));
  }

  /** @throws LinkDown, NotRecognised */
  static async open(line: PylontechLine): Promise<ConsoleHardware> {
    const modules = await firstPwr(line);
    if (modules.length === 0) throw new NotRecognised('the console knows of no battery module');
    const reads = modules.map(({ number }, unit) => ({ unit, read: () => info(line, number) }));
    return new ConsoleHardware(line, modules, await Rotation.begin(reads, line.clock));
  }

  get needsReopen(): boolean {
    return this.#needsReopen;
  }

  get hasShrunk(): boolean {
    return this.units.some((_, unit) => this.isGone(unit));
  }

  isGone(unit: number): boolean {
    const number = this.#numbers[unit];
    return this.#listed.length > 0 && number !== undefined && !this.#listed.includes(number);
  }

  async poll(): Promise<readonly Reading[]> {
    const modules = await pwr(this.#line);
    this.#listed = modules.map(({ number }) => number);
    await this.#rotation.turn();
    this.#needsReopen ||= modules.some(({ number }) => !this.#numbers.includes(number));
    return this.units.map((unit, index) => {
      const module = modules.find(({ number }) => number === this.#numbers[index]);
      const entries = [...(module?.entries ?? []), ...this.#rotation.entriesOf(index)];
      this.#needsReopen ||= hasNewQuantity(entries, unit.quantities);
      return readingOf(entries);
    });
  }

  readAt(unit: number, name: string): number | undefined {
    return this.#rotation.readAt(unit, name);
  }

  async write(_unit: number, name: string): Promise<MetricValue> {
    throw new RangeError(`a Pylontech battery has no setting ${name}`);
  }
}

/** @throws LinkDown, NotRecognised when the console does not know the command */
async function firstPwr(line: PylontechLine): Promise<readonly ConsoleModule[]> {
  try {
    return await pwr(line);
  } catch (error) {
    if (error instanceof RequestRefused) throw new NotRecognised(error.message, { cause: error });
    throw error;
  }
}

/** @throws LinkDown, Refused */
function pwr(line: PylontechLine): Promise<readonly ConsoleModule[]> {
  return runCommand(line, 'pwr', parsePwr);
}

/** Nothing where the firmware does not know the command. @throws LinkDown */
async function info(line: PylontechLine, module: number): Promise<readonly Entry[]> {
  try {
    return await runCommand(line, `info ${module}`, (lines) => parseInfo(lines, module));
  } catch (error) {
    if (error instanceof RequestRefused) return [];
    throw error;
  }
}

async function runCommand<T>(
  { bus, timeouts }: PylontechLine,
  command: string,
  parse: (lines: readonly string[]) => T,
): Promise<T> {
  const rule = consoleRule(command, parse, timeouts.consoleMs);
  const answer = await bus.read(encodeCommand(command), rule);
  return parse(linesOf(Buffer.from(answer).toString('latin1'), command));
}
