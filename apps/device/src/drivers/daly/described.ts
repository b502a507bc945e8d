import { BATTERY, cellNumber, temperatureNumber } from '../battery-quantities.ts';
import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import { BATTERY_CODE } from './a5-commands.ts';
import { BOARD_TEMPERATURE, REGISTER, SWITCHES } from './p81-registers.ts';

const A5: readonly DescribedQuantity[] = [
  { quantity: BATTERY.stateOfCharge, from: 'command 90' },
  { quantity: BATTERY.voltage, from: 'command 90' },
  { quantity: BATTERY.current, from: 'commands 90 and 93', remark: 'the amount of 90, the direction of 93' },
  { quantity: BATTERY.power, from: 'commands 90 and 93', remark: 'voltage times current' },
  { quantity: BATTERY.chargeState, from: 'command 93' },
  { quantity: BATTERY.chargeMosfet, from: 'command 93' },
  { quantity: BATTERY.dischargeMosfet, from: 'command 93' },
  { quantity: BATTERY.chargeCapacity, from: 'command 93' },
  ...cells('command 95'),
  ...sensors('command 96'),
  { quantity: BATTERY.alarms, from: 'command 98', remark: 'all that is wrong, or None' },
  { quantity: BATTERY.cellCount, from: 'command 94' },
  { quantity: BATTERY.cycles, from: 'command 94' },
  { quantity: BATTERY.capacity, from: 'command 50', remark: 'rated' },
  { quantity: BATTERY_CODE, from: 'command 57' },
  { quantity: BATTERY.cellTemperatureHighest, from: 'command 92', remark: 'in recordings; not asked for' },
  { quantity: BATTERY.cellTemperatureLowest, from: 'command 92', remark: 'in recordings; not asked for' },
];

const address = (register: number): string => `register ${register.toString(16).toUpperCase()}H`;

const P81: readonly DescribedQuantity[] = [
  { quantity: BATTERY.stateOfCharge, from: address(REGISTER.stateOfCharge) },
  { quantity: BATTERY.voltage, from: address(REGISTER.voltage) },
  { quantity: BATTERY.current, from: address(REGISTER.current) },
  {
    quantity: BATTERY.power,
    from: `${address(REGISTER.voltage)} and ${REGISTER.current.toString(16)}H`,
    remark: 'voltage times current',
  },
  ...sensors(address(REGISTER.firstSensor)),
  ...cells(address(REGISTER.firstCell)),
  { quantity: BATTERY.chargeState, from: address(REGISTER.state) },
  { quantity: BATTERY.chargeCapacity, from: address(REGISTER.chargeLeft) },
  { quantity: BATTERY.cycles, from: address(REGISTER.cycles) },
  { quantity: BATTERY.balancer, from: address(REGISTER.balancer) },
  { quantity: BATTERY.balanceCurrent, from: address(REGISTER.balanceCurrent), remark: 'unknown at 0' },
  ...SWITCHES.map(({ register, quantity }) => ({ quantity, from: address(register) })),
  { quantity: BATTERY.mosfetTemperature, from: address(REGISTER.mosfetTemperature) },
  { quantity: BOARD_TEMPERATURE, from: address(REGISTER.boardTemperature) },
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

function sensors(from: string): readonly DescribedQuantity[] {
  return [
    { quantity: BATTERY.temperature, from, remark: 'average of all sensors' },
    { quantity: temperatureNumber(1), from, remark: 'and so on, each sensor' },
  ];
}

export const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  { title: 'Battery, A5 frames', rows: A5 },
  { title: 'Battery, registers of the 81 protocol', rows: P81 },
];
