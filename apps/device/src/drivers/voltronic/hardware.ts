import type { MetricValue } from '@heliograph/metrics';
import { LinkDown, type WriteWithheld } from '../../bus/failures.ts';
import { type Hardware, type OnSend, type Reading, RejectedByHardware, type Unit } from '../driver.ts';
import { type Entry, readingOf } from '../entries.ts';
import { exchanged } from '../exchanged.ts';
import { isUnlistedOption } from '../unlisted-option.ts';
import type { AnswerFields } from './fields.ts';
import type { VoltronicLine } from './line.ts';
import type { Query } from './query.ts';
import type { Rounds } from './rounds.ts';
import type { CommandSetting } from './setting.ts';
import { writeSetting } from './write-setting.ts';

/** The last answers, by command; null is a query without an answer this time. */
export type Answers = ReadonlyMap<string, AnswerFields | null>;

/** An inverter on the line, and where its values are in the answers. */
export interface LineInverter {
  readonly unit: Unit;
  /** Those that can be written, and those that are only shown; none where the unit refuses all. */
  readonly settings: readonly CommandSetting[];
  /** By name, the query of each value that one query has; those of several queries are read in every poll. */
  readonly sources: ReadonlyMap<string, Query>;
  readonly valuesOf: (answers: Answers) => readonly Entry[];
  /** Whether it has left the parallel system; absent for the inverter with the cable. */
  readonly hasLeft?: (answers: Answers) => boolean;
}

export interface VoltronicHardwareOptions {
  readonly line: VoltronicLine;
  readonly inverters: readonly LineInverter[];
  /** Read first in every poll. */
  readonly always: readonly Query[];
  /** Read in turn. */
  readonly rounds: Rounds;
  /** The answers of the opening. */
  readonly answers: ReadonlyMap<string, AnswerFields>;
  /** The query of the serial number of the inverter with the cable. */
  readonly identity: Query;
  /** Whether an answer shows something that was not there when the line was opened. */
  readonly isNewcomer?: (query: Query, fields: AnswerFields) => boolean;
}

/** The inverters behind one line. */
export class VoltronicHardware implements Hardware {
  readonly units: readonly Unit[];
  readonly #options: VoltronicHardwareOptions;
  readonly #answers: Map<string, AnswerFields | null>;
  #needsReopen = false;
  /** Set once a write found another inverter: polls read the serial number in turns. */
  #exchanged: WriteWithheld | undefined;

  constructor(options: VoltronicHardwareOptions) {
    this.#options = options;
    this.#answers = new Map(options.answers);
    this.units = options.inverters.map(({ unit }) => unit);
  }

  get needsReopen(): boolean {
    return this.#needsReopen;
  }

  get hasShrunk(): boolean {
    return this.units.some((_, unit) => this.isGone(unit));
  }

  isGone(unit: number): boolean {
    return this.#options.inverters[unit]?.hasLeft?.(this.#answers) === true;
  }

  async poll(): Promise<readonly Reading[]> {
    if (this.#exchanged !== undefined) throw this.#exchanged;
    const { inverters, always, rounds } = this.#options;
    let answered = 0;
    for (const [index, query] of [...always, ...rounds.next()].entries()) {
      const failure = await this.#read(query);
      if (failure === undefined) answered += 1;
      // Without any answer the rest would only cost two seconds each.
      else if (answered === 0 && index > 0) throw failure;
    }
    const readings = inverters.map((inverter) => this.#readingOf(inverter));
    this.#needsReopen ||= inverters.some(({ unit }, index) => hasUnlistedOption(unit, readings[index]));
    return readings;
  }

  readAt(unit: number, name: string): number | undefined {
    const { inverters, always, line } = this.#options;
    const query = inverters[unit]?.sources.get(name);
    return query === undefined || always.includes(query) ? undefined : line.answeredAt(query);
  }

  async write(
    unit: number,
    name: string,
    value: number | string,
    signal?: AbortSignal,
    onSend?: OnSend,
  ): Promise<MetricValue> {
    const inverter = this.#options.inverters[unit];
    const refusal = inverter?.unit.settingsRefusal;
    if (refusal !== undefined) throw new RejectedByHardware(refusal, { reason: 'read_only' });
    const setting = inverter?.settings.find(({ quantity }) => quantity.name === name);
    if (setting === undefined) throw new RangeError(`unit ${unit} has no setting ${name}`);
    const onAnswer = (query: Query, fields: AnswerFields): void =>
      void this.#answers.set(query.command, fields);
    const requireSameUnit = (): Promise<void> => this.#requireSameUnit();
    return writeSetting(this.#options.line, { setting, value, signal, onSend, requireSameUnit, onAnswer });
  }

  /** A serial number that was never answered, or is refused for a moment, stops no write. @throws WriteWithheld */
  async #requireSameUnit(): Promise<void> {
    const { line, identity, answers } = this.#options;
    const [opened] = answers.get(identity.command) ?? [];
    if (opened === undefined) return;
    const [now = opened] = (await line.read(identity)) ?? [];
    if (now === opened) return;
    this.#exchanged = exchanged(now, opened, `the inverter is now ${now}, not ${opened}`);
    throw this.#exchanged;
  }

  /**
   * @returns why there is no answer
   * @throws LinkDown when another inverter answers than the one that was opened
   */
  async #read(query: Query): Promise<LinkDown | undefined> {
    let fields: AnswerFields | undefined;
    try {
      fields = await this.#options.line.read(query);
    } catch (error) {
      if (!(error instanceof LinkDown)) throw error;
      this.#answers.set(query.command, null);
      return error;
    }
    this.#store(query, fields ?? null);
    return undefined;
  }

  #store(query: Query, fields: AnswerFields | null): void {
    const { answers, identity, isNewcomer } = this.#options;
    if (query === identity && fields !== null && fields[0] !== answers.get(identity.command)?.[0]) {
      throw new LinkDown(`another inverter answers, with serial number ${fields[0]}`);
    }
    this.#needsReopen ||= fields !== null && (isNewcomer?.(query, fields) ?? false);
    this.#answers.set(query.command, fields);
  }

  #readingOf({ unit, valuesOf }: LineInverter): Reading {
    const known = new Set(unit.quantities.map(({ name }) => name));
    return readingOf(valuesOf(this.#answers).filter(([{ name }]) => known.has(name)));
  }
}

/** Whether a setting was changed on the inverter's own screen to a value that was no option when it was opened. */
function hasUnlistedOption({ quantities }: Unit, reading: Reading | undefined): boolean {
  return quantities.some((quantity) => isUnlistedOption(quantity, reading?.get(quantity.name)));
}
