import { BATTERY, cellNumber, temperatureNumber } from '../battery-quantities.ts';
import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import { SWITCHES } from './alarms.ts';
import { PORT_VOLTAGE } from './telemetry.ts';

const ROWS: readonly DescribedQuantity[] = [
  { quantity: BATTERY.voltage, from: '42H' },
  { quantity: BATTERY.current, from: '42H' },
  { quantity: BATTERY.power, from: '42H', remark: 'voltage times current' },
  { quantity: BATTERY.fullCapacity, from: '42H, first number' },
  { quantity: BATTERY.stateOfCharge, from: '42H, second number' },
  { quantity: BATTERY.capacity, from: '42H, third number', remark: 'rated' },
  { quantity: BATTERY.cycles, from: '42H, fourth number' },
  { quantity: BATTERY.stateOfHealth, from: '42H, fifth number' },
  { quantity: PORT_VOLTAGE, from: '42H, sixth number' },
  { quantity: BATTERY.chargeCapacity, from: '42H' },
  { quantity: BATTERY.temperature, from: '42H', remark: 'average of the sensors of the cells' },
  { quantity: temperatureNumber(1), from: '42H', remark: 'and so on, each sensor of the cells' },
  { quantity: BATTERY.ambientTemperature, from: '42H, last sensor but one' },
  { quantity: BATTERY.mosfetTemperature, from: '42H, last sensor' },
  { quantity: BATTERY.cellAverage, from: '42H' },
  { quantity: BATTERY.cellHighest, from: '42H' },
  { quantity: BATTERY.cellLowest, from: '42H' },
  { quantity: BATTERY.cellImbalance, from: '42H', remark: 'highest less lowest' },
  { quantity: cellNumber(1), from: '42H', remark: 'and so on, each cell' },
  { quantity: BATTERY.alarms, from: '44H', remark: 'all that is wrong, or None' },
  { quantity: BATTERY.chargeState, from: '44H, system status' },
  ...SWITCHES.map(({ quantity, bit }) => ({ quantity, from: `44H, power status bit ${bit}` })),
  { quantity: BATTERY.balancer, from: '44H, balancing cells' },
];

export const DESCRIBED_UNITS: readonly DescribedUnit[] = [{ title: 'Battery', rows: ROWS }];
