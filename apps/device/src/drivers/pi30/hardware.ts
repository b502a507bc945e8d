import type { MetricValue } from '@heliograph/metrics';
import { LinkDown } from '../../bus/failures.ts';
import { type Hardware, type Reading, RejectedByHardware, type Unit } from '../driver.ts';
import { type Entry, readingOf } from '../entries.ts';
import { isUnlistedOption } from '../unlisted-option.ts';
import { feedsIn, inverterValues, parallelValues, sourcesOf } from './inverter.ts';
import type { Pi30Line } from './line.ts';
import type { Pi30Fields } from './map/fields.ts';
import { QID } from './map/identity.ts';
import { isPresent, SLAVE_REFUSAL } from './map/parallel.ts';
import type { Query } from './map/query.ts';
import type { Pi30Setting } from './settings/setting.ts';
import { writeSetting } from './write-setting.ts';

/** The inverter that the cable goes to, or one that is seen through it. */
export type Inverter =
  | { readonly unit: Unit; readonly settings: readonly Pi30Setting[] }
  | { readonly unit: Unit; readonly through: Query };

export interface Pi30HardwareOptions {
  readonly line: Pi30Line;
  /** In the order of their numbers; exactly one of them has the cable. */
  readonly inverters: readonly Inverter[];
  /** Read first in every poll. */
  readonly always: readonly Query[];
  /** Read in turn. */
  readonly rounds: Rounds;
  /** The answers of the opening. */
  readonly answers: ReadonlyMap<string, Pi30Fields>;
  /** Numbers of the parallel system without an inverter; an answer later requires reopening. */
  readonly vacant: readonly Query[];
}

/** One inverter on a line of its own, and those that it answers for. */
export class Pi30Hardware implements Hardware {
  readonly units: readonly Unit[];
  readonly #options: Pi30HardwareOptions;
  /** The last answers, by command; null after a failed query. */
  readonly #answers: Map<string, Pi30Fields | null>;
  /** By unit and name, the query of each value that is not read in every poll. */
  readonly #queriesInTurn: readonly ReadonlyMap<string, Query>[];
  #feeds: boolean;
  #needsReopen = false;

  constructor(options: Pi30HardwareOptions) {
    this.#options = options;
    this.#answers = new Map(options.answers);
    this.#feeds = feedsIn(this.#answers) ?? false;
    this.units = options.inverters.map(({ unit }) => unit);
    this.#queriesInTurn = options.inverters.map((inverter) => {
      if ('through' in inverter) return new Map();
      const sources = [...sourcesOf(inverter.settings)];
      return new Map(sources.filter(([, query]) => !options.always.includes(query)));
    });
  }

  get needsReopen(): boolean {
    return this.#needsReopen;
  }

  async poll(): Promise<readonly Reading[]> {
    const { inverters, always, rounds } = this.#options;
    const others = inverters.flatMap((inverter) => ('through' in inverter ? [inverter.through] : []));
    let answered = 0;
    for (const [index, query] of [...always, ...others, ...rounds.next()].entries()) {
      const failure = await this.#read(query);
      if (failure === undefined) answered += 1;
      // Without any answer the rest would only cost two seconds each.
      else if (answered === 0 && index > 0) throw failure;
    }
    this.#feeds = feedsIn(this.#answers) ?? this.#feeds;
    const readings = inverters.map((inverter) => this.#readingOf(inverter));
    this.#needsReopen ||= inverters.some(({ unit }, index) => hasUnlistedOption(unit, readings[index]));
    return readings;
  }

  readAt(unit: number, name: string): number | undefined {
    const query = this.#queriesInTurn[unit]?.get(name);
    return query === undefined ? undefined : this.#options.line.answeredAt(query);
  }

  async write(
    unit: number,
    name: string,
    value: number | string,
    signal?: AbortSignal,
  ): Promise<MetricValue> {
    const inverter = this.#options.inverters[unit];
    if (inverter !== undefined && 'through' in inverter) throw new RejectedByHardware(SLAVE_REFUSAL);
    const setting = inverter?.settings.find(({ quantity }) => quantity.name === name);
    if (setting === undefined) throw new RangeError(`unit ${unit} has no setting ${name}`);
    const onAnswer = (query: Query, fields: Pi30Fields): void =>
      void this.#answers.set(query.command, fields);
    return writeSetting(this.#options.line, { setting, value, signal, onAnswer });
  }

  /**
   * @returns why there is no answer
   * @throws LinkDown when another inverter answers than the one that was opened
   */
  async #read(query: Query): Promise<LinkDown | undefined> {
    let fields: Pi30Fields | undefined;
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

  #store(query: Query, fields: Pi30Fields | null): void {
    const { answers, vacant } = this.#options;
    if (vacant.includes(query)) {
      this.#needsReopen = this.#needsReopen || (fields !== null && isPresent(fields));
      return;
    }
    if (query === QID && fields !== null && fields[0] !== answers.get(QID.command)?.[0]) {
      throw new LinkDown(`another inverter answers, with serial number ${fields[0]}`);
    }
    this.#answers.set(query.command, fields);
  }

  #readingOf(inverter: Inverter): Reading {
    const { unit } = inverter;
    const values =
      'through' in inverter
        ? throughValues(this.#answers.get(inverter.through.command))
        : inverterValues(this.#answers, inverter.settings, this.#feeds);
    const known = new Set(unit.quantities.map(({ name }) => name));
    return readingOf(values.filter(([{ name }]) => known.has(name)));
  }
}

/** Whether a setting was changed on the inverter's own screen to a value that was no option when it was opened. */
function hasUnlistedOption({ quantities }: Unit, reading: Reading | undefined): boolean {
  return quantities.some((quantity) => isUnlistedOption(quantity, reading?.get(quantity.name)));
}

/** No values of an inverter that has left the system. */
function throughValues(fields: Pi30Fields | null | undefined): readonly Entry[] {
  return fields && isPresent(fields) ? parallelValues(fields) : [];
}

/**
 * The slow queries of each poll. Settings and warnings are read in turn, one a poll; constants are read in turn, too,
 * one after each round of the others. An answer is at most as many polls old as there are `often`, and `often` times
 * `seldom`.
 */
export class Rounds {
  readonly #often: readonly Query[];
  readonly #seldom: readonly Query[];
  #polls = 0;

  constructor(often: readonly Query[], seldom: readonly Query[]) {
    this.#often = often;
    this.#seldom = seldom;
  }

  /** The queries of the next poll. */
  next(): readonly Query[] {
    const poll = this.#polls++;
    const length = Math.max(1, this.#often.length);
    const often = this.#often[poll % length];
    const round = Math.floor(poll / length);
    const seldom = poll % length === 0 ? this.#seldom[round % Math.max(1, this.#seldom.length)] : undefined;
    return [often, seldom].filter((query) => query !== undefined);
  }
}
