import { type Quantity, quantities } from '@heliograph/metrics';
import { AnswerReader, MAX_CELLS, MAX_SENSORS } from '../answer-reader.ts';
import { BATTERY, cellEntries, cellTemperatureEntries, terminalEntries } from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import { celsius } from '../kelvin.ts';

/** At the terminals behind the switches, where `Voltage` is that of the cells. */
export const PORT_VOLTAGE: Quantity = { ...quantities.voltage('Port voltage'), decimals: 2 };

/** Sensors behind those of the cells: ambient, MOSFET. */
const BOARD_SENSORS = 2;

/** The numbers behind the capacity that is left, in their order. Short answers leave out the last ones. */
const NUMBERED_FIELDS = [
  { quantity: BATTERY.fullCapacity, scale: 0.01 },
  { quantity: BATTERY.stateOfCharge, scale: 0.1 },
  { quantity: BATTERY.capacity, scale: 0.01 },
  { quantity: BATTERY.cycles, scale: 1 },
  { quantity: BATTERY.stateOfHealth, scale: 0.1 },
  { quantity: PORT_VOLTAGE, scale: 0.01 },
] as const;

/** Full capacity and state of charge must be there, so that nothing else passes for such an answer. */
const MIN_FIELDS = 2;

/**
 * The answer to 42H.
 *
 * @throws BadFrame
 */
export function parseTelemetry(info: Uint8Array): readonly Entry[] {
  const reader = new AnswerReader(info);
  const entries = takeTelemetry(reader);
  reader.end();
  return entries;
}

/**
 * DATAFLAG 1, group 1, M, M cells in mV; T, T temperatures in 0.1 K; current in 10 mA; voltage in 10 mV; capacity left
 * in 10 mAh; N, N numbers, of which those behind the sixth are reserved.
 *
 * @throws BadFrame
 */
export function takeTelemetry(reader: AnswerReader): readonly Entry[] {
  reader.takeMany(2, 'u8');
  const cells = reader.takeList('u16', MAX_CELLS).map((millivolts) => millivolts / 1000);
  const sensors = reader.takeList('u16', MAX_SENSORS).map((raw) => celsius(raw));
  const amps = reader.take('s16') / 100;
  const volts = reader.take('u16') / 100;
  const remaining = reader.take('u16') / 100;
  const numbers = reader.takeMany(reader.take('u8'), 'u16');
  if (numbers.length < MIN_FIELDS)
    throw new BadFrame(`the answer holds ${numbers.length} numbers of unknown meaning`);
  const numbered = NUMBERED_FIELDS.flatMap(({ quantity, scale }, index): readonly Entry[] => {
    const counts = numbers[index];
    return counts === undefined ? [] : [[quantity, counts * scale]];
  });
  return [
    ...terminalEntries(volts, amps),
    ...numbered,
    [BATTERY.chargeCapacity, remaining],
    ...sensorEntries(sensors),
    ...cellEntries(cells),
  ];
}

function sensorEntries(sensors: readonly (number | null)[]): readonly Entry[] {
  if (sensors.length <= BOARD_SENSORS) return cellTemperatureEntries(sensors);
  const [ambient = null, mosfet = null] = sensors.slice(-BOARD_SENSORS);
  return [
    ...cellTemperatureEntries(sensors.slice(0, -BOARD_SENSORS)),
    [BATTERY.ambientTemperature, ambient],
    [BATTERY.mosfetTemperature, mosfet],
  ];
}
