import type { MetricValue } from '@heliograph/metrics';
import { LinkDown } from '../../bus/failures.ts';
import type { Hardware, Reading, Unit } from '../driver.ts';
import { RejectedByHardware } from '../driver.ts';
import { type Entry, readingOf } from '../entries.ts';
import type { Fields } from './fields.ts';
import { feedsIn, inverterValues, parallelValues, sourcesOf } from './inverter.ts';
import type { Pi30Line } from './line.ts';
import { QID } from './map/identity.ts';
import { exists, SLAVE_REFUSAL } from './map/parallel.ts';
import type { Query } from './query.ts';
import type { Rounds } from './rounds.ts';
import type { Setting } from './settings/setting.ts';
import { writeSetting } from './write-setting.ts';

/** The inverter that the cable goes to, or one that is seen through it. */
export type Inverter =
  | { readonly unit: Unit; readonly settings: readonly Setting[] }
  | { readonly unit: Unit; readonly through: Query };

export interface Pi30HardwareOptions {
  readonly line: Pi30Line;
  /** In the order of their numbers; exactly one of them has the cable. */
  readonly inverters: readonly Inverter[];
  /** Asked in every poll, first of all. */
  readonly always: readonly Query[];
  /** Asked now and then. */
  readonly rounds: Rounds;
  /** What was answered when it was opened. */
  readonly answers: ReadonlyMap<string, Fields>;
  /** Numbers of the parallel system that nobody answered to; one that does later is worth opening again. */
  readonly vacant: readonly Query[];
}

/** One inverter on a line of its own, and those that it answers for. */
export class Pi30Hardware implements Hardware {
  readonly units: readonly Unit[];
  readonly #options: Pi30HardwareOptions;
  /** The last answers, by command; null when the last question was in vain. */
  readonly #answers: Map<string, Fields | null>;
  /** By unit and name, the question that tells a value and is not asked in every poll. */
  readonly #askedInTurn: readonly ReadonlyMap<string, Query>[];
  #feeds: boolean;
  #tellsMore = false;

  constructor(options: Pi30HardwareOptions) {
    this.#options = options;
    this.#answers = new Map(options.answers);
    this.#feeds = feedsIn(this.#answers) ?? false;
    this.units = options.inverters.map(({ unit }) => unit);
    this.#askedInTurn = options.inverters.map((inverter) => {
      if ('through' in inverter) return new Map();
      const sources = [...sourcesOf(inverter.settings)];
      return new Map(sources.filter(([, query]) => !options.always.includes(query)));
    });
  }

  get tellsMore(): boolean {
    return this.#tellsMore;
  }

  async poll(): Promise<readonly Reading[]> {
    const { inverters, always, rounds } = this.#options;
    const others = inverters.flatMap((inverter) => ('through' in inverter ? [inverter.through] : []));
    let answered = 0;
    for (const [index, query] of [...always, ...others, ...rounds.next()].entries()) {
      const failure = await this.#askFor(query);
      if (failure === undefined) answered += 1;
      // Nothing answers: the rest would only cost two seconds each.
      else if (answered === 0 && index > 0) throw failure;
    }
    this.#feeds = feedsIn(this.#answers) ?? this.#feeds;
    const readings = inverters.map((inverter) => this.#readingOf(inverter));
    this.#tellsMore ||= inverters.some(({ unit }, index) => holdsUnlisted(unit, readings[index]));
    return readings;
  }

  readAt(unit: number, name: string): number | undefined {
    const query = this.#askedInTurn[unit]?.get(name);
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
    const learnt = (query: Query, fields: Fields): void => void this.#answers.set(query.command, fields);
    return writeSetting(this.#options.line, { setting, value, signal, learnt });
  }

  /**
   * @returns why there is no answer
   * @throws LinkDown when another inverter has come in place of the one that was opened
   */
  async #askFor(query: Query): Promise<LinkDown | undefined> {
    let fields: Fields | undefined;
    try {
      fields = await this.#options.line.ask(query);
    } catch (error) {
      if (!(error instanceof LinkDown)) throw error;
      this.#answers.set(query.command, null);
      return error;
    }
    this.#keep(query, fields ?? null);
    return undefined;
  }

  #keep(query: Query, fields: Fields | null): void {
    const { answers, vacant } = this.#options;
    if (vacant.includes(query)) {
      this.#tellsMore = this.#tellsMore || (fields !== null && exists(fields));
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

/** Whether a setting was put to something, on the inverter's own screen, that was no option when it was opened. */
function holdsUnlisted({ quantities }: Unit, reading: Reading | undefined): boolean {
  return quantities.some(({ name, setting }) => {
    const value = reading?.get(name);
    return setting?.kind === 'select' && typeof value === 'string' && !setting.options.includes(value);
  });
}

/** One that has left the system tells nothing. */
function throughValues(fields: Fields | null | undefined): readonly Entry[] {
  return fields && exists(fields) ? parallelValues(fields) : [];
}
