import { systemClock } from '@heliograph/kit';
import { crc16Xmodem } from '../../bus/crc16.ts';
import { AnswerReader } from '../answer-reader.ts';
import type { BatteryLine } from '../ascii-frame/battery-command.ts';
import { decodeCommands } from '../ascii-frame/battery-command.ts';
import { openBattery } from '../ascii-frame/open-battery.ts';
import { BATTERY, cellNumber, temperatureNumber } from '../battery-quantities.ts';
import { decodedBattery } from '../battery-unit.ts';
import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import type { ByteFamily, DecodedUnit } from '../driver.ts';
import { BadFrame, RequestRefused } from '../frame-errors.ts';
import { exchangesIn, parseRecorded } from '../recorded-exchanges.ts';
import type { Recording } from '../recording.ts';
import { SWITCHES } from './alarms.ts';
import { COMMAND, VERSION } from './commands.ts';
import { PORT_VOLTAGE, takeTelemetry } from './telemetry.ts';

/*
 * The answer of the Bluetooth module, of which recordings exist:
 *
 *  7E | VER 1 | ADR 1 | function 1 | return code 1 | LENGTH 2 | data n | CRC 2 | 0D
 *
 * Most significant byte first. The CRC-16/XMODEM is of all between 7E and itself.
 */

const START = 0x7e;
const END = 0x0d;
const LENGTH_OFFSET = 5;
const DATA_OFFSET = 7;
const AFTER_DATA = 3;
const CRC_LENGTH = 2;

/** The function that measured values are requested by. */
const TELEMETRY = 0x61;

/**
 * The data of an answer with measured values.
 *
 * @throws BadFrame, RequestRefused
 */
function bluetoothData(bytes: Buffer): Uint8Array {
  if (bytes[0] !== START) throw new BadFrame('the frame does not begin with 7E');
  const length = bytes.length < DATA_OFFSET ? Number.POSITIVE_INFINITY : bytes.readUInt16BE(LENGTH_OFFSET);
  const whole = DATA_OFFSET + length + AFTER_DATA;
  if (bytes.length < whole) throw new BadFrame('the frame is truncated');
  if (bytes.length > whole || bytes.at(-1) !== END)
    throw new BadFrame('the frame does not end where its length says');
  const crcAt = bytes.length - AFTER_DATA;
  if (crc16Xmodem(bytes.subarray(1, crcAt)) !== bytes.readUInt16BE(crcAt))
    throw new BadFrame('the checksum is wrong');
  const [, , , code = 0, refusal = 0] = bytes;
  if (refusal !== 0) throw new RequestRefused(`the battery refuses (return code ${refusal})`);
  if (code !== TELEMETRY) throw new BadFrame(`the frame answers another function (${code.toString(16)})`);
  return bytes.subarray(DATA_OFFSET, -CRC_LENGTH - 1);
}

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

const DESCRIBED_UNITS: readonly DescribedUnit[] = [{ title: 'Battery', rows: ROWS }];

const RS485_PROTOCOL = 'seplos_v2_rs485';
export const BLUETOOTH_PROTOCOL = 'seplos_v2_ble';

/** @throws BadRecording */
function decode(recording: Recording): readonly DecodedUnit[] {
  if (recording.protocol !== BLUETOOTH_PROTOCOL) return decodeCommands(recording, Object.values(COMMAND));
  // Behind the measured values stand alarms in a form of which too little is known.
  const entries = exchangesIn(recording).flatMap(({ response }) =>
    parseRecorded(() => takeTelemetry(new AnswerReader(bluetoothData(response)))),
  );
  return [decodedBattery(entries)];
}

/** At 9600 baud an answer takes 180 ms. */
const TIMEOUT_MS = 500;

const DEFAULT_ADDRESS = 0;

const COMMANDS = { status: COMMAND.telemetry, extras: [COMMAND.alarms], constants: [] };

/** Seplos batteries with the BMS of the second generation. Nothing is ever written to them. */
export function seplosV2Family(timeoutMs = TIMEOUT_MS): ByteFamily {
  return {
    name: 'seplos-v2',
    title: 'Seplos V2 batteries',
    speaks: 'bytes',
    kinds: ['batteries'],
    usualUnit: DEFAULT_ADDRESS,
    line: { baudRate: 19_200, parity: 'none', stopBits: 1 },
    transports: ['serial', 'serial-tcp'],
    probe: { baudRates: [9_600] },
    describedUnits: DESCRIBED_UNITS,
    protocols: [RS485_PROTOCOL, BLUETOOTH_PROTOCOL],
    decode,
    open: (bus, { unit: address = DEFAULT_ADDRESS }, clock = systemClock) => {
      const line: BatteryLine = { bus, version: VERSION, address, timeoutMs };
      return openBattery(line, COMMANDS, clock);
    },
  };
}

export const seplosV2 = seplosV2Family();
