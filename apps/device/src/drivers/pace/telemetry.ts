import { AnswerReader, MAX_CELLS, MAX_SENSORS } from '../answer-reader.ts';
import { BATTERY, cellEntries, cellTemperatureEntries, terminalEntries } from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import { celsius } from '../kelvin.ts';

/** PACE takes 273.0 K for the zero of the Celsius scale. */
const ZERO_CELSIUS = -2730;

/** Sensors of packs with a MOSFET and an ambient sensor behind four of the cells. */
const SENSORS_OF_CELLS = 4;
const ALL_SENSORS = 6;

/** Bytes behind the items, by their kind. */
const BYTES_BEHIND: Readonly<Record<number, number>> = { 3: 0, 9: 14 };

/**
 * The answer to 42H: INFOFLAG 1, address 1, M, M cells in mV; T, T temperatures in 0.1 K; current in 10 mA; voltage in
 * mV; capacity left in 10 mAh; kind of items 1, full capacity in 10 mAh, cycles, design capacity in 10 mAh; unknown
 * bytes in some.
 *
 * @throws BadFrame
 */
export function parseTelemetry(info: Uint8Array, address: number): readonly Entry[] {
  const reader = new AnswerReader(info);
  takeAddress(reader, address);
  const cells = reader.takeList('u16', MAX_CELLS).map((millivolts) => millivolts / 1000);
  const sensors = reader.takeList('u16', MAX_SENSORS).map((raw) => celsius(raw, ZERO_CELSIUS));
  const amps = reader.take('s16') / 100;
  const volts = reader.take('u16') / 1000;
  const remaining = reader.take('u16') / 100;
  const items = reader.take('u8');
  const behind = BYTES_BEHIND[items];
  if (behind === undefined) throw new BadFrame(`the answer holds items of unknown meaning (${items})`);
  const full = reader.take('u16') / 100;
  const cycles = reader.take('u16');
  const design = reader.take('u16') / 100;
  reader.takeMany(behind, 'u8');
  reader.end();
  return [
    [BATTERY.stateOfCharge, full === 0 ? null : (100 * remaining) / full],
    ...terminalEntries(volts, amps),
    [BATTERY.capacity, design],
    [BATTERY.fullCapacity, full],
    [BATTERY.chargeCapacity, remaining],
    [BATTERY.cycles, cycles],
    ...sensorEntries(sensors),
    ...cellEntries(cells),
  ];
}

function sensorEntries(sensors: readonly (number | null)[]): readonly Entry[] {
  if (sensors.length !== ALL_SENSORS) return cellTemperatureEntries(sensors);
  const [mosfet = null, ambient = null] = sensors.slice(SENSORS_OF_CELLS);
  return [
    ...cellTemperatureEntries(sensors.slice(0, SENSORS_OF_CELLS)),
    [BATTERY.mosfetTemperature, mosfet],
    [BATTERY.ambientTemperature, ambient],
  ];
}

/** INFOFLAG 1, address 1. @throws BadFrame when the values are those of another battery */
export function takeAddress(reader: AnswerReader, requested: number): void {
  reader.take('u8');
  const address = reader.take('u8');
  if (address !== requested) throw new BadFrame(`battery ${address} answered in place of ${requested}`);
}
