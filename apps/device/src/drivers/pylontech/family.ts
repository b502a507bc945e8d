import { systemClock } from '@heliograph/kit';
import { Type } from 'typebox';
import { LinkDown } from '../../bus/failures.ts';
import { withChecksum } from '../ascii-frame/frame.ts';
import { type ByteFamily, type Hardware, NotRecognised, type Target } from '../driver.ts';
import { MASTER_ADDRESS } from './commands.ts';
import { ConsoleHardware } from './console-hardware.ts';
import { CONSOLE_PROTOCOL, decode, RS485_PROTOCOL } from './decode.ts';
import { DESCRIBED_UNITS } from './described.ts';
import { type PylontechLine, type PylontechTimeouts, TIMEOUTS } from './line.ts';
import { Rs485Hardware } from './rs485-hardware.ts';

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
