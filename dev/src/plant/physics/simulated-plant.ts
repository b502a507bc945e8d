import { type PlantReading, type PlantState, plausibleState, step } from './plant.ts';
import type { PlantClock } from './plant-clock.ts';
import { DEFAULT_SETTINGS, type PlantSettings, type SettingName } from './settings.ts';
import type { PlantSite } from './site.ts';

/** Steps longer than this would let a battery fill and empty within one. */
const MAX_STEP_MS = 61_000;
/** A machine that slept does not owe the plant its night. */
const MAX_GAP_MS = 6 * 3_600_000;

/**
 * Settings that fall back by themselves: once a time-out is set, the effect of the others ends so many seconds
 * after the last write of any of them (SunSpec models 123 and 124, the `_RvrtTms` points).
 */
const REVERTS: readonly {
  readonly timeout: SettingName;
  readonly members: readonly SettingName[];
  readonly to: Partial<PlantSettings>;
}[] = [
  { timeout: 'Conn_RvrtTms', members: ['Conn'], to: { Conn: 1 } },
  { timeout: 'WMaxLimPct_RvrtTms', members: ['WMaxLimPct', 'WMaxLim_Ena'], to: { WMaxLim_Ena: 0 } },
  {
    timeout: 'InOutWRte_RvrtTms',
    members: ['InWRte', 'OutWRte', 'StorCtl_Mod'],
    to: { StorCtl_Mod: 0 },
  },
];

/** The part of a plant that survives a restart. */
export interface PlantMemory {
  readonly state: PlantState;
  readonly settings: PlantSettings;
}

/** The plant as it lives: its state, its settings and its own time. Knows nothing of registers. */
export class SimulatedPlant {
  readonly #clock: PlantClock;
  readonly #site: PlantSite;
  #state: PlantState;
  #settings: PlantSettings;
  #reading: PlantReading;
  #steppedTo: number;
  /** By time-out setting: when its members were last written, in the plant clock's elapsed milliseconds. */
  readonly #written = new Map<SettingName, number>();

  /** @param memory that of an earlier run; without it the plant is as full as is usual at this hour */
  constructor(clock: PlantClock, site: PlantSite, memory?: PlantMemory) {
    this.#clock = clock;
    this.#site = site;
    this.#settings = memory?.settings ?? DEFAULT_SETTINGS;
    const state = memory?.state ?? plausibleState(clock.now(), site);
    this.#steppedTo = clock.elapsed();
    for (const { timeout } of REVERTS) this.#written.set(timeout, this.#steppedTo);
    ({ state: this.#state, reading: this.#reading } = step(state, clock.now(), 0, this.#settings, site));
  }

  /** The meters' readings, as of the last `advance`. */
  get reading(): PlantReading {
    return this.#reading;
  }

  get settings(): PlantSettings {
    return this.#settings;
  }

  get memory(): PlantMemory {
    return { state: this.#state, settings: this.#settings };
  }

  /** Temperatures and counters, as of the last `advance`. */
  get state(): PlantState {
    return this.#state;
  }

  /** Brings the plant to the present of its clock. */
  advance(): void {
    const elapsed = this.#clock.elapsed();
    const nowMs = this.#clock.now();
    const passedMs = Math.min(elapsed - this.#steppedTo, MAX_GAP_MS);
    // Equal ones: a rest of a moment would show a power that has nothing to do with what the time before it took.
    const steps = Math.max(1, Math.ceil(passedMs / MAX_STEP_MS));
    const dtMs = passedMs / steps;
    this.#steppedTo = elapsed;
    this.#revert(elapsed);
    for (let left = steps - 1; left >= 0; left--) {
      const next = step(this.#state, nowMs - left * dtMs, dtMs, this.#settings, this.#site);
      this.#state = next.state;
      this.#reading = next.reading;
    }
  }

  /** Changes settings together; what they do can be read at once. The values are within `SETTING_BOUNDS`. */
  apply(changes: Partial<PlantSettings>): void {
    this.advance();
    this.#settings = { ...this.#settings, ...changes };
    for (const { timeout, members } of REVERTS) {
      if ([timeout, ...members].some((name) => name in changes)) this.#written.set(timeout, this.#steppedTo);
    }
    this.advance();
  }

  #revert(elapsed: number): void {
    for (const { timeout, to } of REVERTS) {
      const seconds = this.#settings[timeout];
      const written = this.#written.get(timeout) ?? elapsed;
      if (seconds > 0 && elapsed - written >= seconds * 1000) this.#settings = { ...this.#settings, ...to };
    }
  }
}
