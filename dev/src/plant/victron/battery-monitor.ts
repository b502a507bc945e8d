import { BATTERY } from '../physics/battery.ts';
import type { SimulatedPlant } from '../physics/simulated-plant.ts';
import { answerHex } from './hex-registers.ts';
import { type LineOptions, type VeDirectDevice, veDirectLine } from './ve-direct-line.ts';

const PRODUCT_ID = 0xa389;
const FULL_PERCENT = 99.5;
const MILLI = 1000;

/** A shunt on the home's battery. It sends two blocks in turn: what is, and what was. */
export function batteryMonitor(plant: SimulatedPlant): VeDirectDevice {
  let deepestAh = 0;
  let lowestV = Number.POSITIVE_INFINITY;
  let highestV = 0;
  let fullAtMs: number | undefined;
  return {
    answer: (frame) => answerHex(frame, PRODUCT_ID, new Map()),
    blocks: () => {
      plant.advance();
      const { batteryV, batteryA, batteryW, stateOfChargePct, nowMs } = plant.reading;
      const { counters, cellC } = plant.state;
      const missingAh = (BATTERY.capacityAh * (100 - stateOfChargePct)) / 100;
      deepestAh = Math.max(deepestAh, missingAh);
      lowestV = Math.min(lowestV, batteryV);
      highestV = Math.max(highestV, batteryV);
      if (stateOfChargePct >= FULL_PERCENT || fullAtMs === undefined) fullAtMs = nowMs;
      const drawnAh = counters.dischargedWh / BATTERY.nominalV;
      return [
        block([
          ['PID', `0x${PRODUCT_ID.toString(16).toUpperCase()}`],
          ['V', batteryV * MILLI],
          ['T', cellC],
          ['I', batteryA * MILLI],
          ['P', batteryW],
          ['CE', -missingAh * MILLI],
          ['SOC', stateOfChargePct * 10],
          ['TTG', minutesLeft(BATTERY.capacityAh - missingAh, batteryA)],
          ['Alarm', 'OFF'],
          ['AR', 0],
          ['BMV', 'SmartShunt 500A/50mV'],
          ['FW', '0419'],
          ['MON', 0],
        ]),
        block([
          ['H1', -deepestAh * MILLI],
          ['H2', -missingAh * MILLI],
          ['H3', (-deepestAh / 2) * MILLI],
          ['H4', Math.floor(drawnAh / BATTERY.capacityAh)],
          ['H5', 0],
          ['H6', -drawnAh * MILLI],
          ['H7', lowestV * MILLI],
          ['H8', highestV * MILLI],
          ['H9', (nowMs - fullAtMs) / 1000],
          ['H10', 1],
          ['H11', 0],
          ['H12', 0],
          ['H17', counters.dischargedWh / 10],
          ['H18', counters.chargedWh / 10],
        ]),
      ];
    },
  };
}

/** Minutes until empty at this current; -1, for ever, while it charges. */
function minutesLeft(leftAh: number, amperes: number): number {
  return amperes >= 0 ? -1 : Math.min(14_400, Math.floor((leftAh / -amperes) * 60));
}

function block(fields: readonly (readonly [string, string | number])[]) {
  return new Map(fields.map(([label, value]) => [label, typeof value === 'number' ? whole(value) : value]));
}

/** Without the sign that JavaScript gives a rounded -0.2. */
function whole(value: number): string {
  return String(Math.round(value) + 0);
}

/** A SmartShunt on the home's battery. */
export function batteryMonitorLine(plant: SimulatedPlant, options?: LineOptions) {
  return veDirectLine(batteryMonitor(plant), options);
}
