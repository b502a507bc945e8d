import { systemClock } from '@heliograph/kit';
import { Type } from 'typebox';
import { LinkDown } from '../../bus/failures.ts';
import { decodeFrame, withChecksum } from '../ascii-frame/frame.ts';
import { BATTERY, cellNumber, temperatureNumber } from '../battery-quantities.ts';
import { decodedBattery } from '../battery-unit.ts';
import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import { type ByteFamily, type DecodedUnit, type Hardware, NotRecognised, type Target } from '../driver.ts';
import type { Entry } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import { type ByteExchange, exchangesIn, parseRecorded } from '../recorded-exchanges.ts';
import type { Recording } from '../recording.ts';
import { SWITCHES } from './alarms.ts';
import { parseAnswer, requestOf } from './answers.ts';
import { MASTER_ADDRESS } from './commands.ts';
import { COLUMNS, STATE_OF_CHARGE } from './console-columns.ts';
import { ConsoleHardware } from './console-hardware.ts';
import { INFO_LINES, parseInfo } from './console-info.ts';
import { parsePwr } from './console-table.ts';
import { linesOf } from './console-text.ts';
import { PROTOCOL_VERSION, SOFTWARE_VERSION } from './identity.ts';
import { MANAGEMENT, MANAGEMENT_FLAGS, SYSTEM_PARAMETERS } from './limits.ts';
import { type PylontechLine, type PylontechTimeouts, TIMEOUTS } from './line.ts';
import { Rs485Hardware } from './rs485-hardware.ts';

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

const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  { title: 'Battery module on RS485', rows: RS485 },
  { title: 'Battery module on the console', rows: CONSOLE },
];

const RS485_PROTOCOL = 'pylontech_rs485';
const CONSOLE_PROTOCOL = 'pylontech_console_rs232';

/** The entries of each battery in the recording, by its address. */
type Answers = Iterable<readonly [address: number, entries: readonly Entry[]]>;

/** @throws BadRecording */
function decode(recording: Recording): readonly DecodedUnit[] {
  const parse = recording.protocol === CONSOLE_PROTOCOL ? parseConsole : parseRs485;
  const byAddress = new Map<number, readonly Entry[]>();
  for (const exchange of exchangesIn(recording)) {
    for (const [address, entries] of parseRecorded(() => parse(exchange))) {
      byAddress.set(address, [...(byAddress.get(address) ?? []), ...entries]);
    }
  }
  const inOrder = [...byAddress].sort(([one], [other]) => one - other);
  return inOrder.map(([, entries]) => decodedBattery(entries));
}

function parseRs485({ request, response }: ByteExchange): Answers {
  const answers = parseAnswer(requestOf(decodeFrame(request)), decodeFrame(response));
  return answers.map(({ address, entries }) => [address, entries]);
}

function parseConsole({ request, response }: ByteExchange): Answers {
  const command = request.toString('latin1').trim();
  const lines = linesOf(response.toString('latin1'), command);
  if (command === 'pwr') return parsePwr(lines).map(({ number, entries }) => [number, entries]);
  const module = /^info (\d+)$/.exec(command)?.[1];
  if (module === undefined) throw new BadFrame(`"${command}" is not a command that is known here`);
  return [[Number(module), parseInfo(lines, Number(module))]];
}

/** Pylontech's low-voltage batteries, and the many that speak as they do. Nothing is ever written to them. */
export function pylontechFamily(timeouts: PylontechTimeouts = TIMEOUTS): ByteFamily {
  return {
    name: 'pylontech',
    title: 'Pylontech batteries',
    speaks: 'bytes',
    kinds: ['batteries'],
    usualUnit: MASTER_ADDRESS,
    line: { baudRate: 115_200, parity: 'none', stopBits: 1 },
    transports: ['serial', 'serial-tcp'],
    checkedFrame: withChecksum,
    options: Type.Object(
      {
        port: Type.Optional(
          Type.Enum(['rs485', 'console'], {
            description: 'Which port of the master battery is connected; both are tried when left out',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    // With DIP switch 1 of the master up, which its console does not follow.
    probe: { baudRates: [9_600], optionsAtBaudRates: { port: 'rs485' } },
    describedUnits: DESCRIBED_UNITS,
    protocols: [RS485_PROTOCOL, CONSOLE_PROTOCOL],
    decode,
    open: (bus, target, clock = systemClock) => open({ bus, timeouts, clock }, target),
  };
}

export const pylontech = pylontechFamily();

async function open(line: PylontechLine, { unit = MASTER_ADDRESS, options }: Target): Promise<Hardware> {
  if (options.port === 'console') return ConsoleHardware.open(line);
  if (options.port === 'rs485') return Rs485Hardware.open(line, unit);
  try {
    return await Rs485Hardware.open(line, unit);
  } catch (error) {
    if (!(error instanceof LinkDown) && !(error instanceof NotRecognised)) throw error;
    return openConsole(line, error);
  }
}

/** @throws the failure of RS485 when the console does not answer either */
async function openConsole(line: PylontechLine, fromRs485: Error): Promise<Hardware> {
  try {
    return await ConsoleHardware.open(line);
  } catch (error) {
    throw error instanceof LinkDown ? fromRs485 : error;
  }
}
