/** By bit, for tag 8B of the UART protocol. */
export const UART_ALARMS: readonly string[] = [
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
export const PB_ALARMS: readonly string[] = [
  'Balance wire resistance',
  'MOSFET over temperature',
  'Cell count differs from setting',
  'Current sensor',
  'Cell over voltage',
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
];

/** The names of the bits that are set; those without a name by their number. */
export function alarmsIn(bits: number, names: readonly string[]): readonly string[] {
  return Array.from({ length: 32 }, (_, bit) => bit)
    .filter((bit) => ((bits >>> bit) & 1) === 1)
    .map((bit) => names[bit] ?? `Alarm ${bit}`);
}
