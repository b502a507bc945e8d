import { type Clock, systemClock } from '@heliograph/kit';
import { Type } from 'typebox';
import type { ByteBus } from '../../bus/byte-bus.ts';
import { BatteryHardware } from '../battery-hardware.ts';
import { BATTERY, cellNumber } from '../battery-quantities.ts';
import { decodedBattery } from '../battery-unit.ts';
import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import type { ByteFamily, DecodedUnit, Hardware, Target } from '../driver.ts';
import type { Entry } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import { BadRecording, type Recording } from '../recording.ts';
import { PB_CHARGE_LIMIT_BIT } from './alarm-bits.ts';
import { pbEntries } from './pb-answer.ts';
import { INFO_FIELDS, SENSORS, SETTINGS_FIELDS, STATUS, STATUS_FIELDS } from './pb-fields.ts';
import {
  acknowledgement,
  checkRecord,
  isRecord,
  RECORD,
  RECORD_LENGTH,
  type RecordKind,
  withRecordChecksum,
} from './pb-frame.ts';
import { JK } from './quantities.ts';
import { type JkTimes, pbReader, uartReader } from './readers.ts';
import { uartEntries } from './uart-answer.ts';
import { answerData, withUartChecksum } from './uart-frame.ts';
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

const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  { title: 'Battery, classic protocol (4E 57)', rows: UART },
  { title: 'Battery, JK-PB protocol', rows: PB },
];

const UART_PROTOCOL = 'jk_bms_uart';
const PB_PROTOCOL = 'jk_bms_pb_record';

const KIND_OFFSET = 4;
const UNIT_IDS = Array.from({ length: 16 }, (_, unit) => unit);

/** @throws BadRecording */
function decode({ protocol, response, exchanges = [] }: Recording): readonly DecodedUnit[] {
  const answers = exchanges.map((exchange) => exchange.response_hex);
  if (response !== undefined || answers.length === 0) answers.unshift(response?.hex);
  const entries = answers.flatMap((hex) => entriesOf(bytesOf(hex), protocol));
  return [decodedBattery(entries)];
}

function entriesOf(bytes: Uint8Array, protocol: string): readonly Entry[] {
  try {
    return protocol === UART_PROTOCOL ? uartEntries(answerData(bytes)) : recordEntries(bytes);
  } catch (error) {
    if (error instanceof BadFrame) throw new BadRecording(error.message, { cause: error });
    throw error;
  }
}

/** Over Bluetooth a record comes alone, over RS485 with its acknowledgement. */
function recordEntries(bytes: Uint8Array): readonly Entry[] {
  const kind = kindOf(bytes);
  const record = bytes.subarray(0, RECORD_LENGTH);
  checkRecord(record, kind);
  const rest = bytes.subarray(RECORD_LENGTH);
  const fits = UNIT_IDS.some((unit) => Buffer.from(acknowledgement(unit, kind)).equals(rest));
  if (rest.length > 0 && !fits) throw new BadFrame('what follows the record is not its acknowledgement');
  return pbEntries(record, kind);
}

function kindOf(bytes: Uint8Array): RecordKind {
  const kinds: readonly RecordKind[] = ['status', 'settings', 'info'];
  return kinds.find((kind) => RECORD[kind].kind === bytes[KIND_OFFSET]) ?? 'status';
}

function bytesOf(hex: string | undefined): Uint8Array {
  const digits = hex?.replace(/\s+/g, '') ?? '';
  if (digits === '') throw new BadRecording('the recording has no response in hexadecimal');
  if (!/^([0-9a-f]{2})+$/i.test(digits)) throw new BadRecording('the response is not hexadecimal');
  return Buffer.from(digits, 'hex');
}

/** Classic units want a second of rest; the inverter BMS answers sooner, but takes a second for its settings. */
export const TIMES: Record<'uart' | 'pb', JkTimes> = {
  uart: { gapMs: 1_000, timeoutMs: 700 },
  pb: { gapMs: 120, timeoutMs: 1_000 },
};

const DEFAULT_UNIT = 1;

/** JK (Jikong) battery management systems. Nothing is ever written to them. */
export function jkFamily(times = TIMES): ByteFamily {
  return {
    name: 'jk',
    title: 'JK BMS',
    speaks: 'bytes',
    kinds: ['batteries'],
    usualUnit: DEFAULT_UNIT,
    line: { baudRate: 115_200, parity: 'none', stopBits: 1 },
    transports: ['serial', 'serial-tcp'],
    checkedFrame: (frame) => (isRecord(frame) ? withRecordChecksum(frame) : withUartChecksum(frame)),
    options: Type.Object(
      {
        protocol: Type.Optional(
          Type.Enum(['uart', 'pb'], {
            default: 'uart',
            description: 'pb for the inverter BMS (JK-PB...) on RS485, uart for all others',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    probe: { optionsAlone: [{ protocol: 'pb' }] },
    describedUnits: DESCRIBED_UNITS,
    protocols: [UART_PROTOCOL, PB_PROTOCOL],
    decode,
    open: (bus, target, clock = systemClock) => open(bus, target, { times, clock }),
  };
}

export const jk = jkFamily();

/** Not tried one after the other: what asks a JK-PB for its status is a write to any other Modbus device. */
async function open(
  bus: ByteBus,
  { unit = DEFAULT_UNIT, options }: Target,
  { times, clock }: { readonly times: typeof TIMES; readonly clock: Clock },
): Promise<Hardware> {
  const reader = options.protocol === 'pb' ? pbReader(bus, unit, times.pb) : uartReader(bus, times.uart);
  return BatteryHardware.open(reader, clock);
}
