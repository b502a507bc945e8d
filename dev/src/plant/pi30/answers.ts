import type { PlantReading } from '../physics/plant.ts';
import { FLAG_LETTERS, type Pi30StoredSettings } from './stored-settings.ts';

/** Rated for the plant's inverter, VA and W. */
const RATED = 6_000;

/** One inverter's share of the plant at this instant. */
export interface Share {
  readonly reading: PlantReading;
  readonly cabinetC: number;
  /** How many inverters share the work. */
  readonly count: number;
}

/** Fixed places: how many digits stand before the decimal point, and how many behind it. */
function number(value: number, before: number, after = 0): string {
  const width = after === 0 ? before : before + 1 + after;
  return Math.max(0, value).toFixed(after).padStart(width, '0');
}

const percent = (watts: number): number => Math.round((100 * watts) / RATED);

/** The load is fed from the grid, from the battery, or straight through an inverter that has been switched off. */
export function modeOf(
  { gridW, acW }: PlantReading,
  { outputPriority }: Pi30StoredSettings,
): 'L' | 'B' | 'Y' {
  const regulationMissW = 60;
  if (acW === 0) return 'Y';
  return outputPriority === 2 && Math.abs(gridW) < regulationMissW ? 'B' : 'L';
}

export function generalStatus({ reading, cabinetC, count }: Share): string {
  const { phaseV, hertz, houseW, batteryV, batteryA, stateOfChargePct, pvV, pvW } = reading;
  const loadW = houseW / count;
  const charging = batteryA > 0;
  const status = `0001${'0'}${charging ? 1 : 0}${pvW[0] > 0 ? 1 : 0}0`;
  return [
    number(phaseV[0], 3, 1),
    number(hertz, 2, 1),
    number(230, 3, 1),
    number(50, 2, 1),
    number(loadW * 1.04, 4),
    number(loadW, 4),
    number(percent(loadW), 3),
    number(400, 3),
    number(batteryV, 2, 2),
    number(batteryA / count, 3),
    number(stateOfChargePct, 3),
    number(cabinetC, 4),
    number(pvV[0] === 0 ? 0 : pvW[0] / count / pvV[0], 2, 1),
    number(pvV[0], 3, 1),
    number(pvW[0] > 0 ? batteryV : 0, 2, 2),
    number(-batteryA / count, 5),
    status,
    '00',
    '00',
    number(pvW[0] / count, 5),
    '010',
    '1',
    '00',
    '0000',
  ].join(' ');
}

export function secondMppt({ reading: { pvV, pvW }, count }: Share): string {
  const [, volts] = pvV;
  const watts = pvW[1] / count;
  return [number(volts === 0 ? 0 : watts / volts, 2, 1), number(volts, 3, 1), number(watts, 5)].join(' ');
}

export function ratings(settings: Pi30StoredSettings, outputMode: number): string {
  const volts = (value: number): string => value.toFixed(1);
  return [
    ...['230.0', '26.1', '230.0', '50.0', '26.1', RATED, RATED, '48.0'],
    volts(settings.toGridV),
    volts(settings.shutdownV),
    volts(settings.absorptionV),
    volts(settings.floatV),
    settings.batteryType,
    settings.maxGridChargeA,
    number(settings.maxChargeA, 3),
    settings.inputRange,
    settings.outputPriority,
    settings.chargerPriority,
    ...['9', '10', '0'],
    outputMode,
    volts(settings.backToBatteryV),
    settings.pvOk,
    settings.powerBalance,
    '000',
    '0',
    '000',
  ].join(' ');
}

export function flags({ flags: enabled }: Pi30StoredSettings): string {
  const letters = [...FLAG_LETTERS];
  const on = letters.filter((letter) => enabled.includes(letter));
  const off = letters.filter((letter) => !enabled.includes(letter));
  return `E${on.join('')}D${off.join('')}`;
}

/** The status of an inverter of a parallel system; without a serial number it does not exist. */
export function parallelStatus(
  share: Share,
  settings: Pi30StoredSettings,
  serial: string | undefined,
): string {
  const { reading, count } = share;
  const { phaseV, hertz, houseW, batteryV, batteryA, stateOfChargePct, pvV, pvW } = reading;
  const loadW = houseW / count;
  return [
    serial === undefined ? '0' : '1',
    serial ?? '00000000000000',
    modeOf(reading, settings),
    '00',
    number(phaseV[0], 3, 1),
    number(hertz, 2, 2),
    number(230, 3, 1),
    number(50, 2, 2),
    number(loadW * 1.04, 4),
    number(loadW, 4),
    number(percent(loadW), 3),
    number(batteryV, 2, 1),
    number(batteryA / count, 3),
    number(stateOfChargePct, 3),
    number(pvV[0], 3, 1),
    number(batteryA, 3),
    number(houseW * 1.04, 5),
    number(houseW, 5),
    number(percent(loadW), 3),
    '10100010',
    '1',
    settings.chargerPriority,
    number(settings.maxChargeA, 3),
    '120',
    settings.maxGridChargeA,
    number(pvV[0] === 0 ? 0 : pvW[0] / count / pvV[0], 2),
    number(-batteryA / count, 3),
  ].join(' ');
}
