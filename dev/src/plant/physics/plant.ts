import {
  BATTERY,
  cellTemperatureAfter,
  chargeLimitW,
  dischargeLimitW,
  stateOfCharge,
  storedAfter,
  terminal,
} from './battery.ts';
import { houseLoadW } from './house.ts';
import { balance, disconnected, INVERTER, type PowerFlows } from './inverter.ts';
import { smoothNoise, swing } from './noise.ts';
import { pvPotential, pvVoltage } from './pv-string.ts';
import { type PlantSettings, storageWindow } from './settings.ts';
import type { PlantSite } from './site.ts';
import { clearSky, sunDirection } from './sun.ts';
import { airTemperatureC, cloudCover } from './weather.ts';

/** The state that the plant carries from one instant to the next. */
export interface PlantState {
  /** Energy inside the battery. */
  readonly storedWh: number;
  readonly cellC: number;
  readonly cabinetC: number;
  readonly counters: PlantCounters;
}

/** Energies since the plant was built, in Wh; they only grow. */
export interface PlantCounters {
  readonly pvWh: readonly [number, number];
  readonly acWh: number;
  readonly chargedWh: number;
  readonly dischargedWh: number;
  readonly importedWh: number;
  readonly exportedWh: number;
}

/** Everything that can be measured at one instant. */
export interface PlantReading extends PowerFlows {
  readonly nowMs: number;
  readonly pvV: readonly [number, number];
  readonly pvC: readonly [number, number];
  /** After this instant's power has done its work. */
  readonly stateOfChargePct: number;
  readonly batteryV: number;
  /** Positive charging. */
  readonly batteryA: number;
  /** The powers of the meter's phases; their sum is `gridW`. */
  readonly gridPhasesW: readonly [number, number, number];
  readonly phaseV: readonly [number, number, number];
  readonly hertz: number;
}

const HOUR_MS = 3_600_000;
const CABINET_KELVIN_PER_W = 0.14;
const CABINET_TIME_CONSTANT_H = 0.3;
/** How far a real inverter misses zero at the meter while it follows the house. */
const REGULATION_MISS_W = 14;

/**
 * Moves the plant to an instant.
 *
 * @param state as it was `dtMs` ago
 * @param dtMs how long the powers of this instant have lasted; up to some minutes stays believable
 */
export function step(
  state: PlantState,
  nowMs: number,
  dtMs: number,
  settings: PlantSettings,
  site: PlantSite,
): { state: PlantState; reading: PlantReading } {
  const dtHours = dtMs / HOUR_MS;
  const { seed } = site;
  const sun = sunDirection(nowMs, site.latitudeDeg, site.longitudeDeg);
  const { beam, diffuse } = clearSky(sun.up);
  const light = site.light(nowMs);
  const sky = { beam: beam * light, diffuse: diffuse * light };
  const cover = cloudCover(seed, nowMs);
  const solarHour = (((nowMs / HOUR_MS + site.longitudeDeg / 15) % 24) + 24) % 24;
  const airC = airTemperatureC(seed, nowMs, site.latitudeDeg, solarHour);
  const noonDeg = site.latitudeDeg >= 0 ? 180 : 0;
  const [first, second] = site.strings;
  const potential = [
    pvPotential(first, sky, sun, cover, noonDeg, airC),
    pvPotential(second, sky, sun, cover, noonDeg, airC),
  ] as const;

  const houseW = houseLoadW(seed, nowMs + site.utcOffsetMs(nowMs));
  const window = batteryWindow(state.storedWh, dtHours, settings);
  const flows =
    settings.Conn === 0
      ? disconnected(houseW)
      : balance({
          availableW: [potential[0].availableW, potential[1].availableW],
          houseW,
          batteryLowW: window.lowW,
          batteryHighW: window.highW,
          gridCharge: settings.ChaGriSet === 1,
          acLimitW: acLimitW(settings),
          missW: Math.round(REGULATION_MISS_W * swing(seed + 31, nowMs, 2_000)),
        });

  const next = stateAfter(state, flows, airC, dtHours);
  const { volts, amps } = terminal(next.storedWh, flows.batteryW);
  return {
    state: next,
    reading: {
      ...flows,
      nowMs,
      pvV: [pvVoltage(first, potential[0], flows.pvW[0]), pvVoltage(second, potential[1], flows.pvW[1])],
      pvC: [potential[0].cellC, potential[1].cellC],
      stateOfChargePct: stateOfCharge(next.storedWh),
      batteryV: volts,
      batteryA: amps,
      gridPhasesW: gridPhases(flows, seed, nowMs),
      phaseV: [0, 1, 2].map((phase) => phaseVolts(flows.gridW, seed, nowMs, phase)) as [
        number,
        number,
        number,
      ],
      hertz: 50 + 0.03 * swing(seed + 40, nowMs, 17_000) + 0.01 * swing(seed + 41, nowMs, 2_500),
    },
  };
}

/** The highest AC output that rating and settings allow, whole watts. */
export function acLimitW(settings: PlantSettings): number {
  if (settings.WMaxLim_Ena === 0) return INVERTER.ratedW;
  return Math.floor((INVERTER.ratedW * settings.WMaxLimPct) / 100);
}

/** The battery power that battery and settings allow, whole watts; contradictory settings stop the battery. */
function batteryWindow(storedWh: number, dtHours: number, settings: PlantSettings) {
  const mostW = chargeLimitW(storedWh, dtHours);
  const leastW = -dischargeLimitW(storedWh, settings.MinRsvPct, dtHours);
  const wanted = storageWindow(settings);
  if (wanted.lowW > wanted.highW) return { lowW: 0, highW: 0 };
  const within = (watts: number) => Math.round(Math.min(mostW, Math.max(leastW, watts)));
  return { lowW: within(wanted.lowW), highW: within(wanted.highW) };
}

function stateAfter(state: PlantState, flows: PowerFlows, airC: number, dtHours: number): PlantState {
  const { counters } = state;
  // The battery hangs in a garage: half as cold and half as hot as outside.
  const ambientC = 18 + (airC - 18) / 2;
  const warmC = ambientC + flows.lossesW * CABINET_KELVIN_PER_W;
  const wh = (watts: number) => Math.max(0, watts) * dtHours;
  return {
    storedWh: storedAfter(state.storedWh, flows.batteryW, dtHours),
    cellC: cellTemperatureAfter(state.cellC, ambientC, flows.batteryW, dtHours),
    cabinetC: warmC + (state.cabinetC - warmC) * Math.exp(-dtHours / CABINET_TIME_CONSTANT_H),
    counters: {
      pvWh: [counters.pvWh[0] + wh(flows.pvW[0]), counters.pvWh[1] + wh(flows.pvW[1])],
      acWh: counters.acWh + wh(flows.acW),
      chargedWh: counters.chargedWh + wh(flows.batteryW),
      dischargedWh: counters.dischargedWh + wh(-flows.batteryW),
      importedWh: counters.importedWh + wh(flows.gridW),
      exportedWh: counters.exportedWh + wh(-flows.gridW),
    },
  };
}

/** The inverter feeds its phases alike, the house uses them as it likes; whole watts that add up. */
function gridPhases(flows: PowerFlows, seed: number, nowMs: number): readonly [number, number, number] {
  const slow = (key: number) => 0.7 + 0.6 * smoothNoise(seed + key, nowMs, 1_500_000);
  const [a, b, c] = [slow(32), slow(33), slow(34)];
  const first = Math.round((flows.houseW * a) / (a + b + c) - flows.acW / 3);
  const second = Math.round((flows.houseW * b) / (a + b + c) - flows.acW / 3);
  return [first, second, flows.gridW - first - second];
}

/** Import pulls the voltage down a little, export lifts it. */
function phaseVolts(gridW: number, seed: number, nowMs: number, phase: number): number {
  const wander =
    2.4 * swing(seed + 42 + phase, nowMs, 600_000) + 0.5 * swing(seed + 45 + phase, nowMs, 3_000);
  return 231.5 - (gridW / 6000) * 2.5 + wander;
}

/**
 * A plant that has been running for a while, its battery as full as batteries usually are at that hour: lowest
 * at five in the morning, highest at five in the afternoon.
 */
export function plausibleState(nowMs: number, site: PlantSite): PlantState {
  const localHour = ((nowMs + site.utcOffsetMs(nowMs)) / HOUR_MS) % 24;
  const percent = 56 + 34 * Math.cos((2 * Math.PI * (localHour - 17)) / 24);
  return {
    storedWh: (BATTERY.capacityWh * percent) / 100,
    cellC: 22,
    cabinetC: 30,
    counters: {
      pvWh: [7_412_300, 5_961_800],
      acWh: 12_780_400,
      chargedWh: 3_104_600,
      dischargedWh: 2_951_200,
      importedWh: 2_310_700,
      exportedWh: 7_905_100,
    },
  };
}
