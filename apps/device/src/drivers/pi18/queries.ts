import { areNumeric, commaQuery, type Query, wordQuery } from '../voltronic/query.ts';

export const PI = wordQuery('PI', /^18$/);

/** General status. */
export const GS = commaQuery('GS', 28, areNumeric);

/** Fields of `GS` that the driver itself needs. */
export const GENERAL = {
  gridVoltage: 0,
  outputPower: 5,
  batteryVoltage: 7,
  dischargeCurrent: 10,
  chargeCurrent: 11,
  capacity: 12,
  firstPvPower: 16,
  secondPvPower: 17,
  lineDirection: 26,
} as const;

export const MOD = wordQuery('MOD', /^0\d$/);

/** Ratings and settings; newer models have a field more. */
export const PIRI = commaQuery('PIRI', 25, areNumeric);

/** Fields of `PIRI` that the driver itself needs. */
export const RATING = { apparentPower: 5, batteryVoltage: 7, batteryType: 13, outputMode: 22 } as const;

/** Nine fields on most models, ten on newer ones. */
export const FLAG = commaQuery(
  'FLAG',
  8,
  (fields) => fields.length <= 12 && fields.every((flag) => /^[01]$/.test(flag)),
);

/** The fault code, then a place for each warning: 16, and more on newer models. */
export const FWS: Query = {
  command: 'FWS',
  parse: (text) => {
    const [, code, warnings] = /^(\d\d)((?:,[01]){16,20})$/.exec(text) ?? [];
    return code === undefined || warnings === undefined ? undefined : [code, warnings.replaceAll(',', '')];
  },
};

/** How many of 20 places the serial number has, then these. */
export const ID: Query = {
  command: 'ID',
  parse: (text) => {
    const [, length, places] = /^(\d\d)([0-9A-Z]{20})$/i.exec(text) ?? [];
    return places === undefined ? undefined : [places.slice(0, Number(length))];
  },
};

/** Versions of the main processor and of two others. */
export const VFW = commaQuery('VFW', 3, (fields) => fields.every((field) => /^\d{5}$/.test(field)));

const LIST = /^\d{3}(,\d{3})*$/;

/** The charge currents that can be chosen, in A. */
export const MCHGCR = wordQuery('MCHGCR', LIST);
/** Those from the grid. */
export const MUCHGCR = wordQuery('MUCHGCR', LIST);
