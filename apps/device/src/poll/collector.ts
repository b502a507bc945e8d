import type { Clock, Logger } from '@heliograph/kit';
import {
  defineMetric,
  type MetricDefinition,
  type MetricValue,
  roundTo,
  topicPrefix,
  UNIT_KINDS,
} from '@heliograph/metrics';
import { LinkDown } from '../bus/failures.ts';
import { FailureLog } from '../common/failure-log.ts';
import type { OnSend } from '../drivers/driver.ts';
import type { EnergyMeter } from '../energy/energy-meter.ts';
import { FLOWS, POWERS, type Power } from '../energy/flows.ts';
import type { PowerReading } from '../energy/ledger.ts';
import { type CounterTopics, counterTopics } from './counters/counter-topics.ts';
import type { ConnectionPoller } from './links/connection-poller.ts';
import { linkMetrics } from './links/link-metrics.ts';
import { type SnapshotPublisher, sampleOf } from './snapshot.ts';
import type { SystemMetrics } from './system-metrics.ts';
import { type NamedMeasured, NEVER_READ, presented, STALE_AFTER_POLLS } from './totals/measured.ts';
import { balanceRounded, computeTotals } from './totals/totals.ts';
import type { CountedUnit, UnknownTotals } from './totals/unknown-totals.ts';
import type { KnownUnit, KnownUnits } from './units/known-units.ts';
import type { SameHardware } from './units/same-hardware.ts';

/** On its very first start, how long a device waits for earlier connections before it numbers later ones' units. */
const STARTUP_MS = 5_000;

/** How long a snapshot waits for polls that are still under way: a quarter of the interval, or this, in ms. */
const MAX_WAIT_MS = 250;

const SERIAL_NUMBER = 'Serial number';

const ENERGIES = FLOWS.map((flow) => ({
  ...flow,
  definition: defineMetric('totals', null, flow.quantity),
}));

export interface CollectorOptions {
  /** In the order in which their units are numbered. */
  readonly pollers: readonly ConnectionPoller[];
  readonly units: KnownUnits;
  readonly sameHardware: SameHardware;
  readonly unknownTotals: UnknownTotals;
  readonly energy: EnergyMeter;
  readonly system: SystemMetrics;
  readonly publisher: SnapshotPublisher;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface PresentedUnit extends CountedUnit {
  readonly number: number;
  readonly rows: readonly NamedMeasured[];
  readonly isGone: boolean;
}

/** Makes one snapshot of what all connections read: units, totals, energy, and the device itself. */
export class Collector {
  readonly #options: CollectorOptions;
  readonly #failureLog: FailureLog;
  readonly #startedAt: number;
  #collectedAt = Number.NEGATIVE_INFINITY;
  #counterTopics: CounterTopics = new Map();
  #waiting: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#startedAt = options.clock.monotonic();
    this.#failureLog = new FailureLog(
      options.logger,
      'no snapshot could be made',
      'snapshots are made again',
    );
  }

  /** The counters of the hardware that count the energies of the home. */
  get counterTopics(): CounterTopics {
    return this.#counterTopics;
  }

  /** Publishes what is known before the first reading, then every poll; values go stale on time without any. */
  start(): void {
    const { pollers, intervalMs, clock } = this.#options;
    this.#collect(0);
    for (const poller of pollers) poller.start(() => this.#polled());
    this.#timer = setInterval(() => {
      if (clock.monotonic() - this.#collectedAt >= intervalMs) this.#collect();
    }, intervalMs);
  }

  /** Ends the polling; the connections' buses must be closed for it not to wait for their answers. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#waiting);
    await Promise.all(this.#options.pollers.map((poller) => poller.stop()));
  }

  /**
   * Writes a setting, and publishes what the hardware then reports.
   *
   * @param onSend called right before the first byte of the write leaves; not for a value in force already
   * @returns what it reports
   * @throws RejectedByHardware, LinkDown, WriteUnanswered
   */
  async write(
    { device, number, name }: MetricDefinition,
    value: number | string,
    signal?: AbortSignal,
    onSend?: OnSend,
  ): Promise<MetricValue> {
    const { pollers, units } = this.#options;
    for (const poller of pollers) {
      const owner = units.of(poller.url).find(({ unit }) => unit.kind === device && unit.number === number);
      if (owner === undefined) continue;
      const now = await poller.write(owner.key, name, value, signal, onSend);
      this.#collect();
      return now;
    }
    throw new LinkDown('nothing is connected that has this setting');
  }

  /** Snapshots wait a moment for polls of the same tick, so that one is made of all and not one of each. */
  #polled(): void {
    const { pollers, intervalMs } = this.#options;
    if (!pollers.some(({ polling }) => polling)) this.#collect();
    else this.#waiting ??= setTimeout(() => this.#collect(), Math.min(MAX_WAIT_MS, intervalMs / 4));
  }

  #collect(polls = 1): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
    this.#collectedAt = this.#options.clock.monotonic();
    try {
      this.#numberNewUnits();
      this.#publish(polls);
      this.#failureLog.succeeded();
    } catch (error) {
      this.#failureLog.failed(error);
    }
  }

  #numberNewUnits(): void {
    const { pollers, units, clock } = this.#options;
    const isStartingUp = clock.monotonic() - this.#startedAt < STARTUP_MS;
    for (const { url, units: found, attempted } of pollers) {
      if (found !== undefined) units.update(url, found);
      else if (isStartingUp && !attempted && units.of(url).length === 0) return;
    }
  }

  #publish(polls: number): void {
    const { pollers, units, sameHardware, unknownTotals, system, publisher, clock } = this.#options;
    const seen = pollers.flatMap((poller) =>
      units.of(poller.url).map((known) => {
        const presented = presentUnit(known, poller, clock);
        const serial = presented.values.get(SERIAL_NUMBER)?.value ?? null;
        return {
          url: poller.url,
          known,
          presented,
          serialNumber: serial === null ? null : String(serial),
        };
      }),
    );
    // Of a meter that is connected twice the connection with a role counts, so that no total loses its meter.
    sameHardware.update(seen.toSorted((one, other) => rank(one.presented) - rank(other.presented)));
    const presentedUnits = seen
      .filter(({ url, known }) => sameHardware.ownerOf(url, known) === null)
      .map(({ presented }) => presented)
      .toSorted((a, b) => a.number - b.number);
    const missing = missingMeters(pollers, units);
    const counted = [...presentedUnits.filter(({ isGone }) => !isGone), ...missing];
    const totals = totalsWithout(counted, [...presentedUnits, ...missing]);
    unknownTotals.update(counted, totals);
    this.#counterTopics = counterTopics(counted);
    const rows = [
      ...totals,
      ...this.#energies(totals),
      ...UNIT_KINDS.flatMap((kind) => presentedUnits.filter((unit) => unit.kind === kind)).flatMap(
        (unit) => unit.rows,
      ),
      ...system.current(),
    ];
    publisher.publish({
      sequence: publisher.current.sequence + polls,
      takenAt: clock.now(),
      isStarting: pollers.some((poller) => poller.isStarting),
      connections: new Map(seen.map(({ url, presented }) => [presented.source, url])),
      samples: new Map(
        rows.map((row) => {
          const { topic } = row.definition;
          return [topic, sampleOf(row, publisher.current.samples.get(topic))];
        }),
      ),
    });
  }

  #energies(totals: readonly NamedMeasured[]): readonly NamedMeasured[] {
    const { pollers, energy, intervalMs } = this.#options;
    const powers = new Map(totals.map((total) => [total.definition.name, total]));
    const readings = new Map<Power, PowerReading>();
    for (const power of POWERS) {
      const total = powers.get(power);
      if (total === undefined) continue;
      const powerW = typeof total.value === 'number' ? total.value : null;
      readings.set(power, { powerW, readAtMs: total.readAtMonotonic });
    }
    const cadenceMs = Math.max(intervalMs, ...pollers.map((poller) => poller.cadenceMs));
    const energies = energy.advance(readings, STALE_AFTER_POLLS * cadenceMs);
    return ENERGIES.flatMap(({ definition, power }) => {
      const source = powers.get(power);
      if (source === undefined) return [];
      const value = roundTo(definition, energies.get(definition.name) ?? null);
      // Counted energy stays while the power is unknown.
      return [
        { ...source, definition, value, stale: false, awaited: value === null && source.awaited === true },
      ];
    });
  }
}

/**
 * Totals of the units that are there. A total that only units that are gone have is unknown and does not go with them.
 *
 * @param all with those that are gone, whose values are unknown
 */
function totalsWithout(
  counted: readonly CountedUnit[],
  all: readonly CountedUnit[],
): readonly NamedMeasured[] {
  const totals = computeTotals(counted);
  if (counted.length === all.length) return totals;
  const known = new Map(totals.map((total) => [total.definition.name, total]));
  return computeTotals(all).map((total) => known.get(total.definition.name) ?? total);
}

function rank({ role }: PresentedUnit): number {
  return role === undefined ? 1 : 0;
}

/**
 * Meters that the configuration gives a role and that were never found: what they measure is unknown, and the inverters'
 * own values do not take its place meanwhile.
 */
function missingMeters(pollers: readonly ConnectionPoller[], units: KnownUnits): readonly CountedUnit[] {
  return pollers
    .filter(
      ({ url, role }) => role !== undefined && !units.of(url).some(({ unit }) => unit.kind === 'meters'),
    )
    .map(({ url, role, isNew }) => ({
      source: url,
      kind: 'meters',
      role,
      values: new Map([['Power', { ...NEVER_READ, stale: true, ...(isNew && { awaited: true }) }]]),
    }));
}

function presentUnit(
  { key, unit, definitions }: KnownUnit,
  poller: ConnectionPoller,
  clock: Clock,
): PresentedUnit {
  const oldestAllowed = clock.monotonic() - STALE_AFTER_POLLS * poller.cadenceMs;
  const rows = definitions.map((definition) =>
    presented(definition, poller.value(key, definition.name), oldestAllowed, poller.isNew),
  );
  const values = new Map(rows.map((row) => [row.definition.name, row]));
  const load = unit.kind === 'inverters' ? balanceRounded(values) : undefined;
  const balanced = rows.map((row) =>
    load !== undefined && row.definition.name === 'Load power' ? { ...row, ...load } : row,
  );
  const { kind, number } = unit;
  const role = kind === 'meters' ? poller.role : undefined;
  return {
    source: topicPrefix(kind, number),
    kind,
    number,
    role,
    values,
    isGone: poller.isGone(key),
    rows: [...balanced, ...linkMetrics(kind, number, poller.link, clock)],
  };
}
