import type { SimulatedPlant } from '../physics/simulated-plant.ts';
import { answerHex } from './hex-registers.ts';
import { type LineOptions, type VeDirectDevice, veDirectLine } from './ve-direct-line.ts';

const PRODUCT_ID = 0xa2a4;
const RATED_VA = 3_000;
const INVERTING = 9;
const SWITCHED_ON = 2;

/** A Phoenix inverter that feeds the house from the battery. */
function phoenixInverter(plant: SimulatedPlant, serialNumber = 'HQ2600PHNX1'): VeDirectDevice {
  return {
    answer: (frame) => answerHex(frame, PRODUCT_ID, new Map()),
    blocks: () => {
      plant.advance();
      const { batteryV, houseW, phaseV } = plant.reading;
      const voltAmperes = Math.min(RATED_VA, houseW);
      const fields: readonly (readonly [string, string | number])[] = [
        ['PID', `0x${PRODUCT_ID.toString(16).toUpperCase()}`],
        ['FW', '0121'],
        ['SER#', serialNumber],
        ['MODE', SWITCHED_ON],
        ['CS', INVERTING],
        ['AC_OUT_V', Math.round(phaseV[0] * 100)],
        ['AC_OUT_I', Math.round((voltAmperes / phaseV[0]) * 10)],
        ['AC_OUT_S', voltAmperes],
        ['V', Math.round(batteryV * 1000)],
        ['AR', 0],
        ['WARN', 0],
        ['OR', '0x00000000'],
      ];
      return [new Map(fields.map(([label, value]) => [label, String(value)]))];
    },
  };
}

/** A Phoenix inverter that feeds the home from its battery. */
export function phoenixInverterLine(plant: SimulatedPlant, options?: LineOptions) {
  return veDirectLine(phoenixInverter(plant), options);
}
