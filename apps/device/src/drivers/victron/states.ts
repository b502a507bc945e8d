import type { CodeLabels } from '../registers.ts';

/** Field CS, register 0x0201. Sources: koestler/go-victron, victronenergy/dbus_modbustcp; 246 and 248 not confirmed. */
export const OPERATION: CodeLabels = {
  0: 'Off',
  1: 'Low power',
  2: 'Fault',
  3: 'Bulk',
  4: 'Absorption',
  5: 'Float',
  6: 'Storage',
  7: 'Equalize (manual)',
  9: 'Inverting',
  11: 'Power supply',
  245: 'Starting up',
  246: 'Repeated absorption',
  247: 'Auto equalize',
  248: 'BatterySafe',
  252: 'External control',
};

/** Field ERR. */
export const ERROR: CodeLabels = {
  0: 'No error',
  2: 'Battery voltage too high',
  17: 'Charger temperature too high',
  18: 'Charger over current',
  19: 'Charger current reversed',
  20: 'Bulk time limit exceeded',
  21: 'Current sensor issue',
  26: 'Terminals overheated',
  33: 'Input voltage too high (solar panel)',
  34: 'Input current too high',
  38: 'Input shutdown (battery voltage too high)',
  116: 'Calibration data lost',
  117: 'Incompatible firmware',
  119: 'Settings invalid',
};

/** Field MPPT. */
export const TRACKER: CodeLabels = { 0: 'Off', 1: 'Voltage or current limited', 2: 'MPPT active' };

/** Field MODE. */
export const INVERTER_MODE: CodeLabels = { 2: 'Inverter', 4: 'Off', 5: 'Eco' };

/** Fields AR and WARN, by bit. Source: koestler/go-victron, register 0x031C. */
export const ALARM_BITS: CodeLabels = {
  0: 'Low battery voltage',
  1: 'High battery voltage',
  5: 'Low temperature',
  6: 'High temperature',
  8: 'Overload',
  9: 'Poor DC connection',
  10: 'Low AC output voltage',
  11: 'High AC output voltage',
};

/** Field OR, by bit. Source: koestler/go-victron, register 0x0207. */
export const OFF_BITS: CodeLabels = {
  0: 'No input power',
  2: 'Switched off by button or software',
  3: 'Remote input',
  4: 'Internal reason',
  5: 'Needs a token',
};

/** Register 0x0200 of a solar charger. */
export const CHARGER_MODE: CodeLabels = { 1: 'On', 4: 'Off' };

export const USER_DEFINED = 255;

/** Register 0xEDF1; the voltages are those of a 12 V battery. */
export const BATTERY_TYPE: CodeLabels = {
  1: 'Gel long life 14.1',
  2: 'Gel 14.3',
  3: 'Gel 14.4',
  4: 'AGM 14.7',
  5: 'Tubular 14.9',
  6: 'Tubular 15.1',
  7: 'Tubular 15.3',
  8: 'LiFePO4 14.2',
  [USER_DEFINED]: 'User defined',
};

/** The label of a code, or its number when it is unknown. */
export function codeLabel(labels: CodeLabels, code: number): string {
  return labels[code] ?? `Unknown (${code})`;
}

/** The labels of all bits that are set. */
export function bitLabels(labels: CodeLabels, bits: number): string {
  const set = Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => ((bits >>> bit) & 1) === 1);
  return set.length === 0 ? 'None' : set.map((bit) => labels[bit] ?? `Bit ${bit}`).join(', ');
}
