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
import { type A5Command, a5Entries, BATTERY_CODE, boardCounts, COMMAND } from './a5-commands.ts';
import { a5Data, decodeA5Frame, FRAME_LENGTH } from './a5-frame.ts';
import { decodeP81Request, p81Registers } from './p81-frame.ts';
import { BOARD_TEMPERATURE, p81Entries, REGISTER, SWITCHES } from './p81-registers.ts';
import { a5Reader, type DalyTimes, p81Reader } from './readers.ts';

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

const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  { title: 'Battery, A5 frames', rows: A5 },
  { title: 'Battery, registers of the 81 protocol', rows: P81 },
];

const A5_PROTOCOL = 'daly_a5_uart';
const P81_PROTOCOL = 'daly_modbus_81';

/** @throws BadRecording */
function decode(recording: Recording): readonly DecodedUnit[] {
  const exchanges = exchangesIn(recording);
  const entriesOf = recording.protocol === P81_PROTOCOL ? p81Recorded : a5Recorded;
  return [decodedBattery(parseRecorded(() => entriesOf(exchanges)))];
}

function a5Recorded(exchanges: readonly ByteExchange[]): readonly Entry[] {
  const answers = new Map(exchanges.map(a5Answer));
  const counts = answers.get(COMMAND.counts);
  return a5Entries(answers, counts && boardCounts(counts));
}

function a5Answer({ request, response }: ByteExchange): readonly [A5Command, Uint8Array] {
  const requested = decodeA5Frame(request).command;
  const command = Object.values(COMMAND).find((known) => known === requested);
  if (command === undefined)
    throw new BadFrame(`the request is of an unknown kind (${requested.toString(16)})`);
  const { address: board } = decodeA5Frame(response.subarray(0, FRAME_LENGTH));
  return [command, a5Data(response, { board, command })];
}

function p81Recorded(exchanges: readonly ByteExchange[]): readonly Entry[] {
  const registers = exchanges.flatMap(({ request, response }) => {
    const { board, block } = decodeP81Request(request);
    return [...p81Registers(response, board, block)];
  });
  return p81Entries(new Map(registers));
}

const TIMES: DalyTimes = { gapMs: 120, timeoutMs: 400 };

const DEFAULT_BOARD = 1;

/** Daly battery management systems with frames of their own. Nothing is ever written to them. */
export function dalyFamily(times = TIMES): ByteFamily {
  return {
    name: 'daly',
    title: 'Daly BMS',
    speaks: 'bytes',
    kinds: ['batteries'],
    usualUnit: DEFAULT_BOARD,
    line: { baudRate: 9_600, parity: 'none', stopBits: 1 },
    transports: ['serial', 'serial-tcp'],
    options: Type.Object(
      {
        protocol: Type.Optional(
          Type.Enum(['a5', '81'], {
            description:
              'a5 for boards with frames that begin with A5, 81 for the newer ones; both are tried when left out',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    describedUnits: DESCRIBED_UNITS,
    protocols: [A5_PROTOCOL, P81_PROTOCOL],
    decode,
    open: (bus, target, clock = systemClock) => open(bus, target, { times, clock }),
  };
}

export const daly = dalyFamily();

/** Both protocols only read here, so one is tried after the other. */
async function open(
  bus: ByteBus,
  { unit: board = DEFAULT_BOARD, options }: Target,
  { times, clock }: { readonly times: DalyTimes; readonly clock: Clock },
): Promise<Hardware> {
  const line = { bus, board, times };
  const asP81 = () => BatteryHardware.open(p81Reader(line), clock);
  if (options.protocol === '81') return asP81();
  try {
    return await BatteryHardware.open(await a5Reader(line), clock);
  } catch (error) {
    if (!(error instanceof LinkDown) || options.protocol === 'a5') throw error;
    return asP81();
  }
}
