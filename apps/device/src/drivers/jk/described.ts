import { BATTERY, cellNumber } from '../battery-quantities.ts';
import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import { PB_CHARGE_LIMIT_BIT } from './alarm-bits.ts';
import { INFO_FIELDS, SENSORS, SETTINGS_FIELDS, STATUS, STATUS_FIELDS } from './pb-fields.ts';
import { JK } from './quantities.ts';
import { STATUS_BITS, TAGS } from './uart-tags.ts';

const AND_SO_ON = 'and so on, each cell';

const tagName = (tag: number): string => `tag ${tag.toString(16).toUpperCase()}`;

const UART: readonly DescribedQuantity[] = [
  ...TAGS.flatMap(({ tag, quantity }) => (quantity === undefined ? [] : [{ quantity, from: tagName(tag) }])),
  { quantity: BATTERY.chargeCapacity, from: 'tags AA and 85' },
  { quantity: BATTERY.voltage, from: 'tag 83' },
  { quantity: BATTERY.current, from: 'tag 84', remark: 'in the format that tag C0 names' },
  { quantity: BATTERY.power, from: 'tags 83 and 84' },
  { quantity: BATTERY.alarms, from: 'tag 8B', remark: 'all that is wrong, or None' },
  ...STATUS_BITS.map(({ quantity, bit }) => ({ quantity, from: `tag 8C, bit ${bit}` })),
  ...cells('tag 79'),
  { quantity: BATTERY.modelName, from: 'tag BA', remark: 'JK BMS where it does not end in a model' },
];

const PB: readonly DescribedQuantity[] = [
  ...STATUS_FIELDS.map(({ quantity, offset }) => ({ quantity, from: `status record, ${offset}` })),
  { quantity: BATTERY.voltage, from: `status record, ${STATUS.voltage}` },
  { quantity: BATTERY.current, from: `status record, ${STATUS.current}` },
  { quantity: BATTERY.power, from: `status record, ${STATUS.voltage} and ${STATUS.current}` },
  ...SENSORS.map(({ quantity, offset, bit }) => ({
    quantity,
    from: `status record, ${offset}`,
    remark: `when bit ${bit} of ${STATUS.sensors} is set`,
  })),
  { quantity: BATTERY.alarms, from: `status record, ${STATUS.alarms}`, remark: 'all that is wrong, or None' },
  {
    quantity: JK.chargeLimitReached,
    from: `status record, ${STATUS.alarms} bit ${PB_CHARGE_LIMIT_BIT}`,
    remark: 'the battery is full, or a cell over its voltage',
  },
  { quantity: BATTERY.cellCount, from: `status record, ${STATUS.enabledCells}` },
  ...cells(`status record, ${STATUS.cells} to ${STATUS.cellDifference}`),
  ...SETTINGS_FIELDS.map(({ quantity, offset }) => ({ quantity, from: `settings record, ${offset}` })),
  ...INFO_FIELDS.map(({ quantity, offset }) => ({ quantity, from: `info record, ${offset}` })),
];

function cells(from: string): readonly DescribedQuantity[] {
  return [
    { quantity: BATTERY.cellAverage, from },
    { quantity: BATTERY.cellHighest, from },
    { quantity: BATTERY.cellLowest, from },
    { quantity: BATTERY.cellImbalance, from },
    { quantity: cellNumber(1), from, remark: AND_SO_ON },
  ];
}

export const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  { title: 'Battery, classic protocol (4E 57)', rows: UART },
  { title: 'Battery, JK-PB protocol', rows: PB },
];
