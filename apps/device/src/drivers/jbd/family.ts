import { type Clock, systemClock } from '@heliograph/kit';
import { Type } from 'typebox';
import type { ByteBus } from '../../bus/byte-bus.ts';
import { LinkDown } from '../../bus/failures.ts';
import { BatteryHardware } from '../battery-hardware.ts';
import { BATTERY, cellNumber, temperatureNumber } from '../battery-quantities.ts';
import { decodedBattery } from '../battery-unit.ts';
import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import type { ByteFamily, DecodedUnit, Hardware, Target } from '../driver.ts';
import type { Entry } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import { type ByteExchange, exchangesIn, parseRecorded } from '../recorded-exchanges.ts';
import type { Recording } from '../recording.ts';
import { COMMAND, PRODUCTION_DATE, PROTECTION_COUNTS, SWITCHES } from './dd-commands.ts';
import { ddData, requestedCommand } from './dd-frame.ts';
import { ddReader, upReader } from './readers.ts';
import { encodeUpRequest, PACK_STATUS, upData } from './up-frame.ts';
import { parsePackStatus, UP_SWITCHES } from './up-status.ts';

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

const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  { title: 'Battery, DD frames', rows: DD },
  { title: 'Battery, UP series', rows: UP },
];

const DD_PROTOCOL = 'jbd_dd';
const UP_PROTOCOL = 'jbd_up_78';

/** @throws BadRecording */
function decode(recording: Recording): readonly DecodedUnit[] {
  const exchanges = exchangesIn(recording);
  if (recording.protocol !== UP_PROTOCOL)
    return [decodedBattery(exchanges.flatMap((exchange) => parseRecorded(() => ddEntries(exchange))))];
  // Each pack of a bus is a battery.
  const byUnit = Map.groupBy(exchanges, ({ request }) => request[0] ?? 0);
  return [...byUnit.values()].map((ofUnit) =>
    decodedBattery(ofUnit.flatMap((exchange) => parseRecorded(() => upEntries(exchange)))),
  );
}

function ddEntries({ request, response }: ByteExchange): readonly Entry[] {
  const code = requestedCommand(request);
  const command = Object.values(COMMAND).find((known) => known.code === code);
  if (command === undefined) throw new BadFrame(`the request is of an unknown kind (${code.toString(16)})`);
  return command.parse(ddData(response, code));
}

function upEntries({ request, response }: ByteExchange): readonly Entry[] {
  const [unit = 0] = request;
  if (Buffer.compare(request, encodeUpRequest(unit, PACK_STATUS)) !== 0)
    throw new BadFrame('the request is not one for the values of a pack');
  return parsePackStatus(upData(response, unit, PACK_STATUS));
}

/** For an answer, in milliseconds; the UP series takes up to 600. */
export interface JbdTimeouts {
  readonly ddMs: number;
  readonly upMs: number;
}

const TIMEOUTS: JbdTimeouts = { ddMs: 400, upMs: 800 };

const DEFAULT_UNIT = 1;

/** JBD (Jiabaida, LLT, Xiaoxiang) battery management systems. Nothing is ever written to them. */
export function jbdFamily(timeouts: JbdTimeouts = TIMEOUTS): ByteFamily {
  return {
    name: 'jbd',
    title: 'JBD BMS (LLT, Xiaoxiang)',
    speaks: 'bytes',
    kinds: ['batteries'],
    usualUnit: DEFAULT_UNIT,
    line: { baudRate: 9_600, parity: 'none', stopBits: 1 },
    transports: ['serial', 'serial-tcp'],
    options: Type.Object(
      {
        protocol: Type.Optional(
          Type.Enum(['dd', 'up'], {
            description: 'up for the UP series on RS485, dd for all others; both are tried when left out',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    describedUnits: DESCRIBED_UNITS,
    protocols: [DD_PROTOCOL, UP_PROTOCOL],
    decode,
    open: (bus, target, clock = systemClock) => open(bus, target, { timeouts, clock }),
  };
}

export const jbd = jbdFamily();

/** Protocols in the order in which they are tried: a sleeping BMS misses the first request with DD frames. */
const TRIED = { dd: ['dd', 'dd'], up: ['up'], either: ['dd', 'up', 'dd'] } as const;

/** Both protocols only read here, so one is tried after the other. */
async function open(
  bus: ByteBus,
  { unit = DEFAULT_UNIT, options }: Target,
  { timeouts, clock }: { readonly timeouts: JbdTimeouts; readonly clock: Clock },
): Promise<Hardware> {
  const readers = {
    dd: () => ddReader(bus, timeouts.ddMs),
    up: () => upReader(bus, unit, timeouts.upMs),
  };
  const tried = TRIED[options.protocol === 'dd' || options.protocol === 'up' ? options.protocol : 'either'];
  let failure: unknown;
  for (const protocol of tried) {
    try {
      return await BatteryHardware.open(readers[protocol](), clock);
    } catch (error) {
      if (!(error instanceof LinkDown)) throw error;
      failure = error;
    }
  }
  throw failure;
}
