import { type Quantity, quantities } from '@heliograph/metrics';
import { ALARM_BITS, ERROR, INVERTER_MODE, OFF_BITS, OPERATION, TRACKER } from './states.ts';
import { bits, choice, number, onOff, type VeDirectField } from './text-field.ts';

const { current, periodEnergy, power, voltage } = quantities;

const fine = (quantity: Quantity): Quantity => ({ ...quantity, decimals: 2 });

const APPARENT_POWER: Quantity = {
  name: 'Load apparent power',
  group: 'Status',
  unit: 'VA',
  decimals: 0,
  deviceClass: 'apparent_power',
  stateClass: 'measurement',
};

const kilowattHours = (label: string, name: string, remark?: string): VeDirectField =>
  number(label, periodEnergy(name), 100, remark);

/** Solar chargers and Phoenix inverters; each sends what it has. */
export const INVERTER_FIELDS: readonly VeDirectField[] = [
  choice('CS', 'Device mode', OPERATION),
  choice('MODE', 'Power mode', INVERTER_MODE),
  number('PPV', power('PV power')),
  number('VPV', fine(voltage('PV voltage')), 1000),
  number('V', fine(voltage('Battery voltage')), 1000),
  number('I', fine(current('Battery current')), 1000, 'positive into the battery'),
  onOff('LOAD', 'Load output'),
  number('IL', fine(current('Load current')), 1000),
  number('AC_OUT_V', fine(voltage('AC output voltage')), 100),
  number('AC_OUT_I', current('AC output current'), 10),
  number('AC_OUT_S', APPARENT_POWER),
  choice('MPPT', 'Tracker mode', TRACKER),
  choice('ERR', 'Error', ERROR),
  bits('OR', 'Off reason', OFF_BITS),
  bits('AR', 'Alarm reason', ALARM_BITS),
  bits('WARN', 'Warning', ALARM_BITS),
  onOff('Alarm', 'Alarm'),
  onOff('Relay', 'Relay'),
  kilowattHours('H20', 'Day PV energy'),
  kilowattHours('H22', 'Yesterday PV energy'),
  kilowattHours('H19', 'Total PV energy', 'can be set back by the user'),
  number('H21', power('Day max PV power')),
  number('H23', power('Yesterday max PV power')),
  number('HSDS', { name: 'History day', group: 'Info', unit: '', decimals: 0 }, 1, '0 to 364'),
];
