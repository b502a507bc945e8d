import { type Quantity, quantities } from '@heliograph/metrics';

/** One quantity and its points in a model. */
export interface PointRow {
  readonly quantity: Quantity;
  /** In order of preference: the first that the device implements is read from then on. */
  readonly points: readonly string[];
  /** The divisor of the value; a meter's rows also follow its sign. */
  readonly per?: number;
  /** Left out unless the device implements this point too. */
  readonly onlyWith?: string;
  /** There even when the device implements no point: unknown, and known to be missing. */
  readonly always?: true;
}

const { cellVoltage, frequency, lifetimeEnergy, power, state, stateOfCharge, temperature, voltage } =
  quantities;
const WH_PER_KWH = 1000;

const row = (
  quantity: Quantity,
  points: string | readonly string[],
  more: Partial<PointRow> = {},
): PointRow => ({
  quantity,
  points: typeof points === 'string' ? [points] : points,
  ...more,
});

const threePhases = (
  make: (name: string) => Quantity,
  name: string,
  points: readonly [string, string, string],
) => points.map((point, index) => row(make(`${name} ${index + 1}`), point, { onlyWith: points[1] }));

/** Models 101 to 113. */
const INVERTER: readonly PointRow[] = [
  row(state('Device mode'), 'St'),
  row(power('AC output power'), 'W', { always: true }),
  row(voltage('Grid voltage'), 'PhVphA'),
  ...threePhases(voltage, 'Grid voltage', ['PhVphA', 'PhVphB', 'PhVphC']),
  row(frequency('Grid frequency'), 'Hz'),
  row(temperature('Temperature'), ['TmpCab', 'TmpSnk', 'TmpTrns', 'TmpOt']),
  row(lifetimeEnergy('Total PV energy'), 'WH', { per: WH_PER_KWH }),
];

/** Model 701. */
const DER: readonly PointRow[] = [
  row(state('Device mode'), ['InvSt', 'St']),
  row(power('AC output power'), 'W', { always: true }),
  row(voltage('Grid voltage'), ['LNV', 'VL1']),
  ...threePhases(voltage, 'Grid voltage', ['VL1', 'VL2', 'VL3']),
  row(frequency('Grid frequency'), 'Hz'),
  row(temperature('Temperature'), ['TmpCab', 'TmpSnk', 'TmpAmb', 'TmpTrns', 'TmpSw', 'TmpOt']),
  row(lifetimeEnergy('Total PV energy'), 'TotWhInj', { per: WH_PER_KWH }),
];

export const inverterRows = (modelId: number): readonly PointRow[] => (modelId === 701 ? DER : INVERTER);

/** Models 201 to 214: powers, whose sign differs by maker. */
export const METER_POWERS: readonly PointRow[] = [
  row(power('Grid power'), 'W', { always: true }),
  ...threePhases(power, 'Grid power', ['WphA', 'WphB', 'WphC']),
];

export const METER_COUNTERS: readonly PointRow[] = [
  row(lifetimeEnergy('Total grid energy in'), 'TotWhImp', { per: WH_PER_KWH }),
  row(lifetimeEnergy('Total grid energy out'), 'TotWhExp', { per: WH_PER_KWH }),
];

/** Further rows of a meter without an inverter. */
export const METER_ALONE: readonly PointRow[] = [
  row(voltage('Grid voltage'), ['PhVphA', 'PhV']),
  ...threePhases(voltage, 'Grid voltage', ['PhVphA', 'PhVphB', 'PhVphC']),
  row(frequency('Grid frequency'), 'Hz'),
];

/** Model 802; power and current stand apart because of their sign. */
export const BATTERY: readonly PointRow[] = [
  row(stateOfCharge('State of charge'), 'SoC', { always: true }),
  row(quantities.percentage('State of health'), 'SoH'),
  row(voltage('Voltage'), 'V'),
  row(state('Charge state'), 'ChaSt'),
  row({ name: 'Cycles', group: 'Status', unit: '', decimals: 0, stateClass: 'total_increasing' }, 'NCyc'),
  row({ name: 'Capacity', group: 'Status', unit: 'Ah', decimals: 0 }, 'AHRtg'),
  row(cellVoltage('Cell voltage - Average'), 'CellVAvg'),
  row(cellVoltage('Cell voltage - Highest'), 'CellVMax'),
  row(cellVoltage('Cell voltage - Lowest'), 'CellVMin'),
];

/** Model 713. */
export const DER_STORAGE: readonly PointRow[] = [
  row(stateOfCharge('State of charge'), 'SoC', { always: true }),
  row(quantities.percentage('State of health'), 'SoH'),
];

/** Model 124, as a battery where there is no better one. */
export const STORAGE: readonly PointRow[] = [
  row(stateOfCharge('State of charge'), 'ChaState', { always: true }),
  row(voltage('Voltage'), 'InBatV'),
  row(state('Charge state'), 'ChaSt'),
];

/** Model 124, on the inverter. */
export const STORAGE_ON_INVERTER: readonly PointRow[] = [row(state('Battery state'), 'ChaSt')];
