import { BATTERY, cellNumber, temperatureNumber } from '../battery-quantities.ts';
import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import { SWITCHES } from './alarms.ts';
import { COLUMNS, STATE_OF_CHARGE } from './console-columns.ts';
import { INFO_LINES } from './console-info.ts';
import { PROTOCOL_VERSION, SOFTWARE_VERSION } from './identity.ts';
import { MANAGEMENT, MANAGEMENT_FLAGS, SYSTEM_PARAMETERS } from './limits.ts';

const MASTER_ALONE = 'reported by the master alone';

const RS485: readonly DescribedQuantity[] = [
  { quantity: BATTERY.stateOfCharge, from: '42H', remark: 'remaining capacity of total capacity' },
  { quantity: BATTERY.voltage, from: '42H' },
  { quantity: BATTERY.current, from: '42H' },
  { quantity: BATTERY.power, from: '42H', remark: 'voltage times current' },
  { quantity: BATTERY.temperature, from: '42H, first temperature', remark: 'of the BMS board' },
  {
    quantity: temperatureNumber(1),
    from: '42H, second temperature',
    remark: 'and so on, of groups of cells',
  },
  { quantity: BATTERY.capacity, from: '42H', remark: 'of 24 bits in packs above 65 Ah' },
  { quantity: BATTERY.chargeCapacity, from: '42H', remark: 'of 24 bits in packs above 65 Ah' },
  { quantity: BATTERY.cycles, from: '42H' },
  { quantity: BATTERY.cellAverage, from: '42H' },
  { quantity: BATTERY.cellHighest, from: '42H' },
  { quantity: BATTERY.cellLowest, from: '42H' },
  { quantity: BATTERY.cellImbalance, from: '42H', remark: 'highest less lowest' },
  { quantity: cellNumber(1), from: '42H', remark: 'and so on, each cell' },
  { quantity: BATTERY.alarms, from: '44H', remark: 'all that is wrong, or None' },
  { quantity: BATTERY.chargeState, from: '44H, status 3' },
  ...SWITCHES.map(({ quantity, status, bit }) => ({ quantity, from: `44H, status ${status} bit ${bit}` })),
  ...MANAGEMENT.map(({ quantity }) => ({ quantity, from: '92H' })),
  ...MANAGEMENT_FLAGS.map(({ quantity, bit }) => ({ quantity, from: `92H, status bit ${bit}` })),
  ...SYSTEM_PARAMETERS.map(({ quantity }) => ({ quantity, from: '47H' })),
  { quantity: BATTERY.serialNumber, from: '93H' },
  { quantity: BATTERY.firmwareVersion, from: '96H', remark: 'main line version' },
  { quantity: BATTERY.manufacturer, from: '51H', remark: MASTER_ALONE },
  { quantity: BATTERY.modelName, from: '51H', remark: MASTER_ALONE },
  { quantity: SOFTWARE_VERSION, from: '51H', remark: MASTER_ALONE },
  { quantity: PROTOCOL_VERSION, from: '4FH', remark: 'in recordings; not asked for' },
];

const CONSOLE: readonly DescribedQuantity[] = [
  { quantity: BATTERY.stateOfCharge, from: `pwr, ${STATE_OF_CHARGE}` },
  ...COLUMNS.map(({ quantity, heading }) => ({ quantity, from: `pwr, ${heading}` })),
  { quantity: BATTERY.power, from: 'pwr, Volt and Curr' },
  { quantity: BATTERY.cellImbalance, from: 'pwr, Vhigh less Vlow' },
  { quantity: BATTERY.chargeState, from: 'pwr, Base.St' },
  { quantity: BATTERY.alarms, from: 'pwr, columns that end in .St', remark: 'what is not Normal, or None' },
  ...INFO_LINES.map(({ quantity, label }) => ({ quantity, from: `info, ${label}` })),
  { quantity: BATTERY.capacity, from: 'info, Specification', remark: 'nominal' },
];

export const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  { title: 'Battery module on RS485', rows: RS485 },
  { title: 'Battery module on the console', rows: CONSOLE },
];
