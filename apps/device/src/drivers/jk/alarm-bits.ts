import type { FlagLabels } from '../flag-labels.ts';

/** By bit, for tag 8B of the UART protocol. */
export const UART_ALARMS: FlagLabels = [
  'Low capacity',
  'MOSFET over temperature',
  'Charge over voltage',
  'Discharge under voltage',
  'Battery over temperature',
  'Charge over current',
  'Discharge over current',
  'Cell difference',
  'Box over temperature',
  'Battery low temperature',
  'Cell over voltage',
  'Cell under voltage',
  '309_A protection',
  '309_B protection',
];

/** By bit, for the alarms of the JK-PB status record. */
export const PB_ALARMS: FlagLabels = [
  'Balance wire resistance',
  'MOSFET over temperature',
  'Cell count differs from setting',
  'Current sensor',
  // A full battery in newer firmware, a cell over voltage in older: no alarm, but `Charge limit reached`.
  null,
  'Battery over voltage',
  'Charge over current',
  'Charge short circuit',
  'Charge over temperature',
  'Charge under temperature',
  'Internal communication',
  'Cell under voltage',
  'Battery under voltage',
  'Discharge over current',
  'Discharge short circuit',
  'Discharge over temperature',
  'Charge MOSFET',
  'Discharge MOSFET',
  'GPS disconnected',
  'Password to be changed',
  'Discharge could not be switched on',
  'Battery over temperature',
  'Temperature sensor',
  'Parallel module',
  'Short circuit not released',
  'Discharge over current, second stage',
  'Discharge over current, third stage',
  'Discharge under temperature',
  'Locked by GPS',
];

/** Set when the battery takes no more charge. */
export const PB_CHARGE_LIMIT_BIT = 4;
