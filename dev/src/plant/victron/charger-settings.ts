import type { HexRegister } from './hex-registers.ts';

/** The settings of a solar charger for a 48 V battery, in the units of its registers. */
export interface ChargerState {
  /** 1 on, 4 off. */
  mode: number;
  /** 0.1 A */
  maxCurrent: number;
  batteryType: number;
  /** 0.01 V */
  absorption: number;
  /** 0.01 V */
  float: number;
}

/** A charger is rated for this much, in 0.1 A. */
export const RATED_CURRENT = 1_000;

const ON = 1;
const OFF = 4;
const USER_DEFINED = 255;
/** The bounds of the voltages, in 0.01 V: four times those of chargers for 12 V batteries. */
const LOWEST = 3_200;
const HIGHEST = 6_960;
const COMPENSATION = -6_480;

/** Absorption and float voltage that a battery type brings with it, in 0.01 V. */
const TYPES: Readonly<Record<number, readonly [absorption: number, float: number]>> = {
  1: [5_640, 5_520],
  2: [5_720, 5_520],
  3: [5_760, 5_520],
  4: [5_880, 5_520],
  5: [5_960, 5_520],
  6: [6_040, 5_520],
  7: [6_120, 5_520],
  8: [5_680, 5_400],
};

export function newCharger(): ChargerState {
  return { mode: ON, maxCurrent: RATED_CURRENT, batteryType: USER_DEFINED, absorption: 5_680, float: 5_400 };
}

/** The registers behind the settings. */
export function settingRegisters(state: ChargerState): ReadonlyMap<number, HexRegister> {
  const voltage = (name: 'absorption' | 'float'): HexRegister => ({
    bytes: 2,
    read: () => state[name],
    write: (value) => {
      if (state.batteryType !== USER_DEFINED || value < LOWEST || value > HIGHEST) return false;
      state[name] = value;
      return true;
    },
  });
  return new Map<number, HexRegister>([
    [0x0200, { bytes: 1, read: () => state.mode, write: (value) => setMode(state, value) }],
    [0xedf0, { bytes: 2, read: () => state.maxCurrent, write: (value) => setMaxCurrent(state, value) }],
    [0xedf1, { bytes: 1, read: () => state.batteryType, write: (value) => setType(state, value) }],
    [0xedf7, voltage('absorption')],
    [0xedf6, voltage('float')],
    [0xedf2, { bytes: 2, read: () => COMPENSATION }],
    [0xeddf, { bytes: 2, read: () => RATED_CURRENT }],
    [0x2211, { bytes: 2, read: () => LOWEST }],
    [0x2212, { bytes: 2, read: () => HIGHEST }],
  ]);
}

export function isOn({ mode }: ChargerState): boolean {
  return mode === ON;
}

function setMode(state: ChargerState, value: number): boolean {
  if (value !== ON && value !== OFF) return false;
  state.mode = value;
  return true;
}

function setMaxCurrent(state: ChargerState, value: number): boolean {
  if (value < 10 || value > RATED_CURRENT) return false;
  state.maxCurrent = value;
  return true;
}

function setType(state: ChargerState, value: number): boolean {
  const voltages = TYPES[value];
  if (voltages === undefined && value !== USER_DEFINED) return false;
  state.batteryType = value;
  if (voltages !== undefined) [state.absorption, state.float] = voltages;
  return true;
}
