import { areNumeric, commaQuery, type Query, wordQuery } from '../voltronic/query.ts';

export const PI = wordQuery('PI', /^17$/);

/** A field that holds a number, or is empty because this model does not measure it. */
const MEASURED = /^([-+]?\d+)?$/;
const areMeasured = (fields: readonly string[]): boolean => fields.every((field) => MEASURED.test(field));

/** General status. */
export const GS = commaQuery('GS', 25, areMeasured);

/** Fields of `GS` that the driver itself needs. */
export const GENERAL = { batteryVoltage: 4, capacity: 5, batteryCurrent: 6, gridVoltage: 7 } as const;

/** Power status. */
export const PS = commaQuery('PS', 22, (fields) => areMeasured(fields) && fields.length < 25);

/** Fields of `PS` that the driver itself needs. */
export const POWER = {
  firstPv: 0,
  secondPv: 1,
  grid: [3, 4, 5],
  gridTotal: 6,
  outputTotal: 10,
  lineDirection: 21,
} as const;

export const MOD = wordQuery('MOD', /^0\d$/);

export const PIRI = commaQuery('PIRI', 11, areNumeric);

/** Model, and what it is made for. */
export const MD = commaQuery('MD', 9, areNumeric);

const FLAGS = /^[01]$/;

/** Five fields on the oldest models, 16 on the newest. */
export const FLAG = commaQuery('FLAG', 4, (fields) => fields.every((flag) => FLAGS.test(flag)));

/** A battery that talks to the inverter; older models do not have it. */
export const BMS_FLAG = 8;

/** A place for each warning. */
export const WS: Query = {
  command: 'WS',
  parse: (text) => {
    const places = text.split(',').filter((place) => place !== '');
    const whole = places.length >= 22 && places.every((place) => FLAGS.test(place));
    return whole ? [places.join('')] : undefined;
  },
};

/** The latest fault, and where it is stored. */
export const CFS = commaQuery('CFS', 2, (fields) => fields.every((field) => /^\d\d$/.test(field)));

/** Battery settings; newer models have more of them. */
export const BATS = commaQuery('BATS', 18, areMeasured);

/** Energy control: what PV, battery and grid may be used for. */
export const HECS = commaQuery(
  'HECS',
  8,
  ([priority = '', ...switches]) =>
    /^0\d$/.test(priority) && switches.every((field) => FLAGS.test(field) || field === ''),
);

/** Ranges that the model can be set to. */
export const MAR = commaQuery('MAR', 24, areNumeric);

/** Fields of `MAR` that the driver itself needs, in tenths of an ampere. */
export const RANGE = { mostChargeCurrent: 20, leastChargeCurrent: 21 } as const;

/** How many of 20 places the serial number has, then these. */
export const ID: Query = {
  command: 'ID',
  parse: (text) => {
    const [, length, places] = /^(\d\d)([0-9A-Z]{20})$/i.exec(text) ?? [];
    return places === undefined ? undefined : [places.slice(0, Number(length))];
  },
};

export const VFW = wordQuery('VFW', /^VERFW:[\d.]+$/);
export const VFW2 = wordQuery('VFW2', /^VERFW2:[\d.]+$/);

/** Everything generated so far, in kWh. */
export const ET = wordQuery('ET', /^\d{8}$/);
