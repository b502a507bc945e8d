import { BATTERY, cellNumber, temperatureNumber } from '../battery-quantities.ts';
import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import { PRODUCTION_DATE, PROTECTION_COUNTS, SWITCHES } from './dd-commands.ts';
import { UP_SWITCHES } from './up-status.ts';

const ALL_ALARMS = 'all that is wrong, or None';

const DD: readonly DescribedQuantity[] = [
  { quantity: BATTERY.stateOfCharge, from: 'command 03' },
  { quantity: BATTERY.voltage, from: 'command 03' },
  { quantity: BATTERY.current, from: 'command 03' },
  { quantity: BATTERY.power, from: 'command 03', remark: 'voltage times current' },
  { quantity: BATTERY.capacity, from: 'command 03', remark: 'nominal' },
  { quantity: BATTERY.chargeCapacity, from: 'command 03' },
  { quantity: BATTERY.cycles, from: 'command 03' },
  { quantity: BATTERY.temperature, from: 'command 03', remark: 'average of all sensors' },
  { quantity: temperatureNumber(1), from: 'command 03', remark: 'and so on, each sensor' },
  { quantity: BATTERY.alarms, from: 'command 03', remark: ALL_ALARMS },
  ...SWITCHES.map(({ quantity, bit }) => ({ quantity, from: `command 03, MOSFETs bit ${bit}` })),
  { quantity: BATTERY.balancer, from: 'command 03, balancing cells' },
  { quantity: BATTERY.cellCount, from: 'command 03' },
  { quantity: BATTERY.firmwareVersion, from: 'command 03' },
  { quantity: PRODUCTION_DATE, from: 'command 03' },
  ...cells('command 04'),
  { quantity: BATTERY.modelName, from: 'command 05' },
  ...PROTECTION_COUNTS.map((quantity) => ({ quantity, from: 'command AA' })),
];

const UP: readonly DescribedQuantity[] = [
  { quantity: BATTERY.stateOfCharge, from: '1000H' },
  { quantity: BATTERY.stateOfHealth, from: '1000H' },
  { quantity: BATTERY.voltage, from: '1000H' },
  { quantity: BATTERY.current, from: '1000H' },
  { quantity: BATTERY.power, from: '1000H', remark: 'voltage times current' },
  { quantity: BATTERY.capacity, from: '1000H', remark: 'rated' },
  { quantity: BATTERY.fullCapacity, from: '1000H' },
  { quantity: BATTERY.chargeCapacity, from: '1000H' },
  { quantity: BATTERY.cycles, from: '1000H' },
  { quantity: BATTERY.temperature, from: '1000H', remark: 'average as the BMS reports it' },
  { quantity: temperatureNumber(1), from: '1000H', remark: 'and so on, each sensor of the cells' },
  { quantity: BATTERY.mosfetTemperature, from: '1000H' },
  { quantity: BATTERY.ambientTemperature, from: '1000H' },
  { quantity: BATTERY.alarms, from: '1000H, protections and warnings', remark: ALL_ALARMS },
  { quantity: BATTERY.chargeState, from: '1000H' },
  ...UP_SWITCHES.map(({ quantity, bit }) => ({ quantity, from: `1000H, switches bit ${bit}` })),
  { quantity: BATTERY.balancer, from: '1000H, balancing cells' },
  { quantity: BATTERY.chargeVoltageLimit, from: '1000H', remark: 'of a master, for all packs' },
  { quantity: BATTERY.chargeCurrentLimit, from: '1000H', remark: 'of a master, for all packs' },
  { quantity: BATTERY.dischargeVoltageLimit, from: '1000H', remark: 'of a master, for all packs' },
  { quantity: BATTERY.dischargeCurrentLimit, from: '1000H', remark: 'of a master, for all packs; negative' },
  ...cells('1000H'),
  { quantity: BATTERY.cellCount, from: '1000H' },
  { quantity: BATTERY.firmwareVersion, from: '1000H' },
  { quantity: BATTERY.modelName, from: '1000H' },
];

function cells(from: string): readonly DescribedQuantity[] {
  return [
    { quantity: BATTERY.cellAverage, from },
    { quantity: BATTERY.cellHighest, from },
    { quantity: BATTERY.cellLowest, from },
    { quantity: BATTERY.cellImbalance, from, remark: 'highest less lowest' },
    { quantity: cellNumber(1), from, remark: 'and so on, each cell' },
  ];
}

export const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  { title: 'Battery, DD frames', rows: DD },
  { title: 'Battery, UP series', rows: UP },
];
