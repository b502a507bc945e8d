import { DEFAULT_LATITUDE_DEG, DEFAULT_SEED } from './config.ts';
import { type PlantReading, plausibleState, step } from './physics/plant.ts';
import { DEFAULT_SETTINGS } from './physics/settings.ts';
import { siteIn } from './physics/site.ts';

export interface ReadingsOptions {
  /** Milliseconds since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
  /** IANA name of the place's zone. */
  readonly timeZone: string;
}

/** Readings of the meters of the simulated home in an earlier time, at the end of each step. */
export function* simulatedReadings(options: ReadingsOptions): Generator<PlantReading> {
  const { fromMs, toMs, stepMs, timeZone } = options;
  const site = siteIn(timeZone, DEFAULT_LATITUDE_DEG, DEFAULT_SEED, toMs);
  let state = plausibleState(fromMs, site);
  for (let nowMs = fromMs + stepMs; nowMs <= toMs; nowMs += stepMs) {
    const next = step(state, nowMs, stepMs, DEFAULT_SETTINGS, site);
    state = next.state;
    yield next.reading;
  }
}
