import type { RegisterRow } from '../modbus/row.ts';
import {
  BATTERY_CHARGE,
  BATTERY_CURRENT,
  BATTERY_DETAILS,
  BATTERY_POWERS,
  BATTERY_TEMPERATURE,
  BATTERY_VOLTAGE,
  chargerRows,
  INPUT_POWER,
  INPUT_POWERS,
  METER_ENERGIES,
  METER_VOLTAGE,
  OUTPUT_POWER,
  OUTPUT_POWERS,
  PHASE_ROWS,
  VEBUS_ROWS,
} from './device-maps.ts';
import { batteryWatts, total, type Watts } from './powers.ts';
import { decodeRow, numberIn, type RowReading, valueIn } from './row-reading.ts';
import type { ServiceFrame } from './service-reader.ts';

/** The AC side of the Multis or Quattros. */
export function decodeVebus(frame: ServiceFrame, phases: number): readonly RowReading[] {
  const sum = (rows: readonly RegisterRow[]): Watts => total(rows.map((row) => numberIn(frame, row)));
  return [
    ...VEBUS_ROWS.map((row) => decodeRow(frame, row)),
    { quantity: INPUT_POWER, value: sum(INPUT_POWERS) },
    { quantity: OUTPUT_POWER, value: sum(OUTPUT_POWERS) },
    ...(phases === 1
      ? []
      : PHASE_ROWS.flatMap((rows) => rows.slice(0, phases)).map((row) => decodeRow(frame, row))),
    { ...decodeRow(frame, BATTERY_TEMPERATURE), optional: true },
  ];
}

/** One solar charger, counted from 1. Its power is part of the system's. */
export function decodeCharger(frame: ServiceFrame, number: number): readonly RowReading[] {
  const { power, voltage, yieldToday, state, enabled } = chargerRows(number);
  const [watts, volts] = [decodeRow(frame, power), decodeRow(frame, voltage)];
  // A charger with several trackers has no common voltage, and sends 0.
  const noVoltage = volts.value === 0 && watts.value !== 0 && watts.value !== undefined;
  return [
    watts,
    noVoltage ? { ...volts, value: null } : volts,
    decodeRow(frame, state),
    decodeRow(frame, yieldToday),
    decodeRow(frame, enabled),
  ];
}

/** @param withVoltage whether the meter is the only source of the grid's voltage */
export function decodeMeter(frame: ServiceFrame, withVoltage: boolean): readonly RowReading[] {
  const energies = METER_ENERGIES.map(({ quantity, total: whole, phases }) => {
    const sum = total(phases.map((row) => numberIn(frame, row)));
    const counted = valueIn(frame, whole);
    return { quantity, value: counted === undefined || counted === 0 ? sum : counted };
  });
  // A counter that falls to 0 and comes back has everything counted once more.
  const notYet = energies.every(({ value }) => value === 0);
  return [
    ...(withVoltage ? [decodeRow(frame, METER_VOLTAGE)] : []),
    ...(notYet ? energies.map(({ quantity }) => ({ quantity, value: null })) : energies),
  ];
}

/** One battery; one of 0 V is none. */
export function decodeBatteryService(frame: ServiceFrame): readonly RowReading[] {
  const volts = valueIn(frame, BATTERY_VOLTAGE);
  const there = typeof volts === 'number';
  const decoded = (row: RegisterRow): RowReading =>
    there ? decodeRow(frame, row) : { quantity: row.quantity, value: volts };
  return [
    decoded(BATTERY_CHARGE),
    decoded(BATTERY_VOLTAGE),
    decoded(BATTERY_CURRENT),
    { quantity: BATTERY_POWERS[0].quantity, value: there ? batteryPower(frame, volts) : volts },
    ...BATTERY_DETAILS.map((row): RowReading => ({ ...decoded(row), optional: true })),
  ];
}

function batteryPower(frame: ServiceFrame, volts: number): Watts {
  const [wide, narrow] = BATTERY_POWERS.map((row) => numberIn(frame, row));
  if (wide !== undefined) return wide;
  const amperes = numberIn(frame, BATTERY_CURRENT);
  const product = typeof amperes === 'number' ? Math.round(volts * amperes) : amperes;
  return narrow === undefined || narrow === null ? product : batteryWatts(narrow, volts, amperes);
}
