import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { simulatedHome } from '@heliograph/dev/plant';
import { ManualClock, silentLogger, testMoment } from '@heliograph/kit';
import { type LocalDay, localDay } from '../../src/common/local-time.ts';
import { EnergyMeter } from '../../src/energy/energy-meter.ts';
import { EnergyStore } from '../../src/energy/energy-store.ts';
import { FLOWS, type Power } from '../../src/energy/flows.ts';
import type { LocalHour } from '../../src/energy/hours/hour.ts';
import { type HourAmounts, sumOfAmounts } from '../../src/energy/hours/hour-ledger.ts';
import type { EnergyState, PowerReadings } from '../../src/energy/ledger.ts';
import type { EnergyPeriod } from '../../src/energy/period.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { filesOf, tornWrite, writeFiles } from './power-cut.ts';

/** Kilowatt-hours by counter. */
export type Energies = Readonly<Record<string, number>>;

/** Longest time between polls, and the longest over which a device still counts the energy, in milliseconds. */
export const MAX_PAUSE_MS = 60_000;
const MAX_GAP_MS = 61_000;

/** A device that counts the energy of a simulated home, and the home's own books beside it. */
export class LivedWeeks implements Disposable {
  /** The clock of the home and its meters. */
  readonly #truth: ManualClock;
  /** The device's own clocks: the wall clock may be set wrong, and the monotonic one begins again with each run. */
  #clock: ManualClock;
  #wallErrorMs = 0;
  readonly #zone: string;
  readonly #period: EnergyPeriod;
  readonly #plant: ReturnType<typeof simulatedHome>;
  readonly #parent = mkdtempSync(join(tmpdir(), 'device-weeks-'));
  #folder = this.#parent;
  #runs = 0;
  #db: DatabaseSync | undefined;
  #store: EnergyStore | undefined;
  #meter: EnergyMeter | undefined;
  #shown: Energies = {};
  #justStarted = true;

  constructor(start: string, options: { readonly zone: string; readonly period: EnergyPeriod }) {
    this.#truth = new ManualClock(testMoment(start));
    this.#clock = new ManualClock(this.#truth.now());
    this.#zone = options.zone;
    this.#period = options.period;
    this.#plant = simulatedHome(this.#truth, 7);
    // The battery keeps half of its charge, so that the grid has something to do as well.
    this.#plant.apply({ MinRsvPct: 50 });
    this.#start();
  }

  get now(): number {
    return this.#truth.now();
  }

  /** Whether the device has read nothing yet since it started. */
  get justStarted(): boolean {
    return this.#justStarted;
  }

  /** The energies that the device shows, since its period began. */
  get shown(): Energies {
    return this.#shown;
  }

  get stored(): EnergyState | undefined {
    return this.#store?.load(this.#zone, () => undefined);
  }

  /** Hours by their first instant, in half watt-milliseconds. */
  get hours(): ReadonlyMap<LocalHour, HourAmounts> {
    const hours = new Map(this.#store?.hours.between(0, Number.MAX_SAFE_INTEGER));
    for (const [hour, amounts] of this.#meter?.recentHours ?? []) hours.set(hour, amounts);
    return hours;
  }

  /** The sum of the hours of each local day, in half watt-milliseconds. */
  get hoursByDay(): ReadonlyMap<LocalDay, HourAmounts> {
    const days = new Map<LocalDay, HourAmounts>();
    for (const [hour, amounts] of this.hours) {
      const day = localDay(hour, this.#zone);
      days.set(day, sumOfAmounts(days.get(day), amounts));
    }
    return days;
  }

  /** The home's books, since it was built. */
  get books(): Energies {
    const { pvWh, chargedWh, dischargedWh, importedWh, exportedWh } = this.#plant.state.counters;
    const pv = pvWh[0] + pvWh[1];
    return kilo({
      'PV energy': pv,
      'Load energy': pv + importedWh - exportedWh - chargedWh + dischargedWh,
      'Battery energy in': chargedWh,
      'Battery energy out': dischargedWh,
      'Grid energy in': importedWh,
      'Grid energy out': exportedWh,
    });
  }

  /** Lets the home live. As over Modbus, its powers move when they are read, and its books with them. */
  pass(ms: number): void {
    this.#truth.advance(ms);
    this.#clock.advance(ms);
    this.#plant.advance();
  }

  /** @param linked whether the inverter answers */
  poll(linked = true): void {
    const energies = this.#meter?.advance(this.#readings(linked), MAX_GAP_MS) ?? new Map();
    this.#justStarted = false;
    this.#shown = Object.fromEntries([...energies].filter(([, kWh]) => kWh !== null));
  }

  /** Sets the device's wall clock, as NTP or a wrong hand would. */
  setClock(errorMs: number): void {
    this.#wallErrorMs = errorMs;
    this.#clock.jump(this.#truth.now() + errorMs);
  }

  /**
   * One more poll, during which the power goes.
   *
   * @param share how much of what the poll wrote has reached the disk, from 0 to 1
   * @returns the states before and after the poll, of which the disk must have one
   */
  pollInPowerCut(share: number): {
    readonly before: EnergyState | undefined;
    readonly after: EnergyState | undefined;
  } {
    const before = this.stored;
    const files = filesOf(this.#folder);
    this.poll();
    const after = this.stored;
    const left = tornWrite(files, filesOf(this.#folder), share);
    this.#stop();
    this.#folder = join(this.#parent, `run-${++this.#runs}`);
    writeFiles(this.#folder, left);
    return { before, after };
  }

  /** Starts the device again, on what the power cut left. */
  restart(): void {
    this.#clock = new ManualClock(this.#truth.now() + this.#wallErrorMs);
    this.#start();
  }

  [Symbol.dispose](): void {
    this.#stop();
    rmSync(this.#parent, { recursive: true });
  }

  #start(): void {
    this.#justStarted = true;
    this.#db = openDatabase(this.#folder);
    // The power cuts here are made of copies of the files, which need not reach a disk.
    this.#db.exec('PRAGMA synchronous = OFF');
    this.#store = new EnergyStore(this.#db);
    this.#meter = new EnergyMeter({
      store: this.#store,
      clock: this.#clock,
      logger: silentLogger,
      zone: this.#zone,
      period: this.#period,
    });
  }

  #stop(): void {
    this.#db?.close();
  }

  #readings(linked: boolean): PowerReadings {
    const { pvW, gridW, batteryW, loadW } = this.#plant.reading;
    const powers: Record<Power, number> = {
      'PV power': pvW[0] + pvW[1],
      'Load power': loadW,
      'Grid power': gridW,
      'Battery power': batteryW,
    };
    const readAtMs = this.#clock.monotonic();
    return new Map(
      Object.entries(powers).map(([power, powerW]) => [
        power as Power,
        { powerW: linked ? powerW : null, readAtMs },
      ]),
    );
  }
}

/** By counter, what a second amount is more than a first. */
export function difference(from: Energies, to: Energies): Energies {
  return Object.fromEntries(
    FLOWS.map(({ quantity: { name } }) => [name, (to[name] ?? 0) - (from[name] ?? 0)]),
  );
}

export function sum(all: readonly Energies[]): Energies {
  return Object.fromEntries(
    FLOWS.map(({ quantity: { name } }) => [name, all.reduce((total, one) => total + (one[name] ?? 0), 0)]),
  );
}

function kilo(wattHours: Energies): Energies {
  return Object.fromEntries(Object.entries(wattHours).map(([name, wh]) => [name, wh / 1000]));
}
