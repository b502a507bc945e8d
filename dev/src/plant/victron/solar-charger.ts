import type { HexFrame, VeDirectFields } from '@heliograph/device/victron';
import type { SimulatedPlant } from '../physics/simulated-plant.ts';
import { isOn, newCharger, settingRegisters } from './charger-settings.ts';
import { answerHex } from './hex-registers.ts';
import { type LineOptions, type VeDirectDevice, veDirectLine } from './ve-direct-line.ts';

const DAY_MS = 86_400_000;

interface Day {
  readonly number: number;
  /** The lifetime counter when it began. */
  readonly fromWh: number;
  mostW: number;
}

/** The yields of today and yesterday. */
class YieldDays {
  #today: Day | undefined;
  #yesterday = { wattHours: 0, mostW: 0 };

  /**
   * @param totalWh the lifetime counter
   * @returns energies in Wh, powers in W
   */
  at(nowMs: number, totalWh: number, powerW: number) {
    const number = Math.floor(nowMs / DAY_MS);
    let today = this.#today ?? { number, fromWh: totalWh, mostW: 0 };
    if (today.number !== number) {
      this.#yesterday = { wattHours: totalWh - today.fromWh, mostW: today.mostW };
      today = { number, fromWh: totalWh, mostW: 0 };
    }
    today.mostW = Math.max(today.mostW, powerW);
    this.#today = today;
    return {
      todayWh: totalWh - today.fromWh,
      todayMostW: today.mostW,
      yesterdayWh: this.#yesterday.wattHours,
      yesterdayMostW: this.#yesterday.mostW,
      dayOfYear: number % 365,
    };
  }
}

/** SmartSolar MPPT 250|100: no load output. */
const PRODUCT_ID = 0xa050;
/** The share of the panels' power that the charger passes on. */
const EFFICIENCY = 0.98;

const STATE = { off: 0, bulk: 3, absorption: 4, float: 5 } as const;
const TRACKER = { off: 0, limited: 1, active: 2 } as const;
const ABSORPTION_FROM_PERCENT = 96;
const FLOAT_FROM_PERCENT = 99.5;
/** Off reasons: nothing from the panels, switched off by a setting. */
const NO_INPUT = 0x01;
const SWITCHED_OFF = 0x04;

/** The home's panels and battery behind a solar charger instead of a hybrid inverter. */
export function solarCharger(plant: SimulatedPlant, serialNumber = 'HQ2600SIMUL'): VeDirectDevice {
  const state = newCharger();
  const registers = settingRegisters(state);
  const days = new YieldDays();
  return {
    answer: (frame: HexFrame) => answerHex(frame, PRODUCT_ID, registers),
    blocks: () => {
      plant.advance();
      const { pvW, pvV, batteryV, stateOfChargePct, nowMs } = plant.reading;
      const offeredW = isOn(state) ? pvW[0] + pvW[1] : 0;
      const mostW = Math.floor(((state.maxCurrent / 10) * batteryV) / EFFICIENCY);
      const takenW = Math.min(offeredW, mostW);
      const { pvWh } = plant.state.counters;
      const { todayWh, todayMostW, yesterdayWh, yesterdayMostW, dayOfYear } = days.at(
        nowMs,
        pvWh[0] + pvWh[1],
        takenW,
      );
      const fields: readonly (readonly [string, string | number])[] = [
        ['PID', `0x${PRODUCT_ID.toString(16).toUpperCase()}`],
        ['FW', '163'],
        ['SER#', serialNumber],
        ['V', Math.round(batteryV * 1000)],
        ['I', Math.round(((takenW * EFFICIENCY) / batteryV) * 100) * 10],
        ['VPV', Math.round(Math.max(...pvV) * 100) * 10],
        ['PPV', takenW],
        ['CS', chargeState(takenW, stateOfChargePct)],
        ['MPPT', takenW === 0 ? TRACKER.off : takenW < offeredW ? TRACKER.limited : TRACKER.active],
        ['OR', `0x${offReason(isOn(state), takenW).toString(16).padStart(8, '0')}`],
        ['ERR', 0],
        ['H19', Math.floor((pvWh[0] + pvWh[1]) / 10)],
        ['H20', Math.floor(todayWh / 10)],
        ['H21', todayMostW],
        ['H22', Math.floor(yesterdayWh / 10)],
        ['H23', yesterdayMostW],
        ['HSDS', dayOfYear],
      ];
      return [new Map(fields.map(([label, value]) => [label, String(value)])) satisfies VeDirectFields];
    },
  };
}

function chargeState(takenW: number, percent: number): number {
  if (takenW === 0) return STATE.off;
  if (percent >= FLOAT_FROM_PERCENT) return STATE.float;
  return percent >= ABSORPTION_FROM_PERCENT ? STATE.absorption : STATE.bulk;
}

function offReason(on: boolean, takenW: number): number {
  if (!on) return SWITCHED_OFF;
  return takenW === 0 ? NO_INPUT : 0;
}

/** A SmartSolar that charges the home's battery from its panels; takes settings. */
export function solarChargerLine(plant: SimulatedPlant, options?: LineOptions) {
  return veDirectLine(solarCharger(plant), options);
}
