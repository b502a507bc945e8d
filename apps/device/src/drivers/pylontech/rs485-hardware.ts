import type { MetricValue } from '@heliograph/metrics';
import { LinkDown } from '../../bus/failures.ts';
import { BATTERY } from '../battery-quantities.ts';
import { batteryUnit } from '../battery-unit.ts';
import { type Hardware, NotRecognised, type Reading, type Unit } from '../driver.ts';
import { type Entry, hasNewQuantity, readingOf } from '../entries.ts';
import { RequestRefused } from '../frame-errors.ts';
import { Rotation, type SlowRead } from '../rotation.ts';
import type { ModuleAnswer } from './analog.ts';
import type { PylontechRequest } from './answers.ts';
import { COMMAND } from './commands.ts';
import type { PylontechLine } from './line.ts';
import { exchange } from './rs485-exchange.ts';

/** More modules than a group can have addresses for. */
const MAX_MODULES = 13;

/** A master and its slaves, and the way their measured values are read. */
interface ModuleGroup {
  readonly addresses: readonly number[];
  /** Whether the master answers for all modules at once. */
  readonly together: boolean;
}

/**
 * Counts the modules behind a master, which answers for all of them.
 *
 * @throws LinkDown when nothing answers, NotRecognised when what answers measures nothing
 */
async function findGroup(line: PylontechLine, master: number): Promise<ModuleGroup> {
  const all = await answerOrNothing(line, { command: COMMAND.analog, address: master, all: true });
  if (all !== undefined) return { addresses: all.map(({ address }) => address), together: true };
  const addresses: number[] = [];
  for (let address = master; address < master + MAX_MODULES; address++) {
    if ((await measured(line, address, address === master)) === undefined) break;
    addresses.push(address);
  }
  if (addresses.length === 0) throw new NotRecognised(`battery ${master} answers, and tells no values`);
  return { addresses, together: false };
}

/** A slave that is not there may be silent; a master that is silent is no battery at all. */
async function measured(line: PylontechLine, address: number, master: boolean) {
  try {
    return await answerOrNothing(line, { command: COMMAND.analog, address });
  } catch (error) {
    if (master || !(error instanceof LinkDown)) throw error;
    return undefined;
  }
}

/** @returns nothing when the battery refuses. @throws LinkDown */
async function answerOrNothing(
  line: PylontechLine,
  request: PylontechRequest,
): Promise<readonly ModuleAnswer[] | undefined> {
  try {
    return await exchange(line, request);
  } catch (error) {
    if (error instanceof RequestRefused) return undefined;
    throw error;
  }
}

/** Reads of constants; the master alone reports its name. */
function slowReads(line: PylontechLine, addresses: readonly number[]): readonly SlowRead[] {
  return addresses.flatMap((address, unit) => {
    const commands = [COMMAND.serialNumber, COMMAND.firmware, COMMAND.systemParameters];
    return (unit === 0 ? [COMMAND.manufacturer, ...commands] : commands).map((command) => ({
      unit,
      read: async (): Promise<readonly Entry[]> =>
        (await answerOrNothing(line, { command, address }))?.flatMap(({ entries }) => entries) ?? [],
    }));
  });
}

/** Read in every poll beside the measured values, where a module answers to it. */
const EXTRAS = [COMMAND.alarms, COMMAND.management] as const;

/** So many requests in a row without an answer mean that the batteries are gone. */
const MAX_FAILURES_IN_A_ROW = 2;

/** A master battery with its slaves, on RS485. Nothing is written: the vendor's two writing commands stop a battery. */
export class Rs485Hardware implements Hardware {
  readonly units: readonly Unit[];
  readonly #line: PylontechLine;
  readonly #group: ModuleGroup;
  readonly #extras: readonly PylontechRequest[];
  readonly #rotation: Rotation;
  #needsReopen = false;
  /** Addresses of the modules that the master no longer lists. */
  #gone: readonly number[] = [];

  private constructor(line: PylontechLine, group: ModuleGroup, opened: Opened) {
    this.#line = line;
    this.#group = group;
    this.#extras = opened.extras;
    this.#rotation = opened.rotation;
    this.units = group.addresses.map((address, unit) => {
      const entries = [...entriesOf(opened.answers, address), ...opened.rotation.entriesOf(unit)];
      return batteryUnit(entries);
    });
  }

  /** @throws LinkDown, NotRecognised */
  static async open(line: PylontechLine, master: number): Promise<Rs485Hardware> {
    const group = await findGroup(line, master);
    const wanted = group.addresses.flatMap((address) => EXTRAS.map((command) => ({ command, address })));
    const round = await exchangeAll(line, [...analogRequests(group), ...wanted]);
    const rotation = await Rotation.begin(slowReads(line, group.addresses), line.clock);
    const extras = wanted.filter((request) => round.answered.includes(request));
    return new Rs485Hardware(line, group, { answers: round.answers, extras, rotation });
  }

  get needsReopen(): boolean {
    return this.#needsReopen;
  }

  get hasShrunk(): boolean {
    return this.#gone.length > 0;
  }

  isGone(unit: number): boolean {
    return this.#gone.includes(this.#group.addresses[unit] ?? -1);
  }

  async poll(): Promise<readonly Reading[]> {
    const { answers } = await exchangeAll(this.#line, [...analogRequests(this.#group), ...this.#extras]);
    await this.#rotation.turn();
    const known = await this.#ofThisGroup(answers);
    return this.units.map((unit, index) => {
      const address = this.#group.addresses[index] ?? 0;
      const entries = [...entriesOf(known, address), ...this.#rotation.entriesOf(index)];
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

  /**
   * The master lists its modules by their place in the stack. When there are more or fewer than before, a place no
   * longer identifies a module, so each is read by its address.
   */
  async #ofThisGroup(answers: readonly ModuleAnswer[]): Promise<readonly ModuleAnswer[]> {
    this.#gone = [];
    if (!this.#group.together) return answers;
    const { addresses } = this.#group;
    const measured = new Set(answers.filter(isMeasured).map(({ address }) => address));
    if (measured.size === 0 || measured.size === addresses.length) return answers;
    this.#needsReopen ||= measured.size > addresses.length;
    const others = answers.filter((answer) => !isMeasured(answer));
    const single = await exchangeAll(this.#line, analogRequests({ addresses, together: false }));
    const silent = addresses.filter(
      (address) => !single.answers.some((answer) => answer.address === address && isMeasured(answer)),
    );
    // More silent ones than the master misses have lost their answers.
    if (silent.length === addresses.length - measured.size) this.#gone = silent;
    return [...single.answers, ...others];
  }
}

interface Opened {
  readonly answers: readonly ModuleAnswer[];
  readonly extras: readonly PylontechRequest[];
  readonly rotation: Rotation;
}

function analogRequests({
  addresses: [master, ...slaves],
  together,
}: ModuleGroup): readonly PylontechRequest[] {
  const command = COMMAND.analog;
  if (master === undefined) return [];
  if (together) return [{ command, address: master, all: true }];
  return [master, ...slaves].map((address) => ({ command, address }));
}

/**
 * Makes the requests one after the other; those that are refused or not answered are left out, and so is the rest
 * once the line seems to have gone.
 *
 * @throws LinkDown when none is answered
 */
async function exchangeAll(line: PylontechLine, requests: readonly PylontechRequest[]) {
  const answered: PylontechRequest[] = [];
  const answers: ModuleAnswer[] = [];
  let failure: LinkDown | undefined;
  let failuresInARow = 0;
  let alive = false;
  for (const request of requests) {
    if (failuresInARow >= MAX_FAILURES_IN_A_ROW) break;
    try {
      const answer = await answerOrNothing(line, request);
      alive = true;
      failuresInARow = 0;
      if (answer === undefined) continue;
      answered.push(request);
      answers.push(...answer);
    } catch (error) {
      if (!(error instanceof LinkDown)) throw error;
      failure = error;
      failuresInARow += 1;
    }
  }
  if (!alive && failure !== undefined) throw failure;
  return { answered, answers };
}

const isMeasured = ({ entries }: ModuleAnswer): boolean =>
  entries.some(([quantity]) => quantity === BATTERY.voltage);

function entriesOf(answers: readonly ModuleAnswer[], address: number): readonly Entry[] {
  return answers.filter((answer) => answer.address === address).flatMap(({ entries }) => entries);
}
