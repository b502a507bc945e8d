import { type Quantity, quantities } from '@heliograph/metrics';
import { ALARM_BITS } from './states.ts';
import { bits, minutes, number, onOff, type VeDirectField } from './text-field.ts';

const { current, percentage, periodEnergy, power, stateOfCharge, temperature, voltage } = quantities;

const precise = (quantity: Quantity): Quantity => ({ ...quantity, decimals: 3 });
const tenths = (quantity: Quantity): Quantity => ({ ...quantity, decimals: 1 });

const millivolts = (label: string, name: string): VeDirectField =>
  number(label, precise(voltage(name)), 1000);

const charge = (label: string, name: string, remark?: string): VeDirectField =>
  number(label, { name, group: 'Status', unit: 'Ah', decimals: 1, stateClass: 'measurement' }, 1000, remark);

const count = (label: string, name: string): VeDirectField =>
  number(label, { name, group: 'Status', unit: '', decimals: 0, stateClass: 'total_increasing' });

const seconds = (name: string): Quantity => ({
  name,
  group: 'Status',
  unit: 's',
  decimals: 0,
  deviceClass: 'duration',
  stateClass: 'measurement',
});

const DRAWN = 'negative: taken out';

/** BMV battery monitors and SmartShunts; each sends what it has. */
export const BATTERY_FIELDS: readonly VeDirectField[] = [
  number('SOC', tenths(stateOfCharge('State of charge')), 10, '`---` until it was synchronised'),
  millivolts('V', 'Voltage'),
  number('I', precise(current('Current')), 1000, 'positive into the battery'),
  number('P', power('Power'), 1, 'positive into the battery'),
  number('T', temperature('Temperature'), 1, '`---` without a sensor'),
  charge('CE', 'Consumed charge', DRAWN),
  minutes('TTG', seconds('Time to go'), 'sent in minutes; -1, which means for ever, is unknown'),
  millivolts('VS', 'Starter voltage'),
  millivolts('VM', 'Midpoint voltage'),
  number('DM', tenths(percentage('Midpoint deviation')), 10),
  onOff('Alarm', 'Alarm'),
  bits('AR', 'Alarm reason', ALARM_BITS),
  onOff('Relay', 'Relay'),
  charge('H1', 'Deepest discharge', DRAWN),
  charge('H2', 'Last discharge', DRAWN),
  charge('H3', 'Average discharge', DRAWN),
  count('H4', 'Cycles'),
  count('H5', 'Full discharges'),
  charge('H6', 'Total charge drawn', DRAWN),
  millivolts('H7', 'Min voltage'),
  millivolts('H8', 'Max voltage'),
  number('H9', seconds('Time since full charge')),
  count('H10', 'Synchronisations'),
  count('H11', 'Low voltage alarms'),
  count('H12', 'High voltage alarms'),
  millivolts('H15', 'Min starter voltage'),
  millivolts('H16', 'Max starter voltage'),
  number('H17', periodEnergy('Total energy out'), 100),
  number('H18', periodEnergy('Total energy in'), 100),
];
