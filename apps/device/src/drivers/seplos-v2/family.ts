import { systemClock } from '@heliograph/kit';
import type { BatteryLine } from '../ascii-frame/battery-command.ts';
import { openBattery } from '../ascii-frame/open-battery.ts';
import type { ByteFamily } from '../driver.ts';
import { COMMAND, VERSION } from './commands.ts';
import { BLUETOOTH_PROTOCOL, decode, RS485_PROTOCOL } from './decode.ts';
import { DESCRIBED_UNITS } from './described.ts';

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
