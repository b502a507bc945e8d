import { systemClock } from '@heliograph/kit';
import { type BatteryLine, decodeCommands } from '../ascii-frame/battery-command.ts';
import { withChecksum } from '../ascii-frame/frame.ts';
import { openBattery } from '../ascii-frame/open-battery.ts';
import type { ByteFamily } from '../driver.ts';
import { COMMAND, VERSION } from './commands.ts';
import { DESCRIBED_UNITS } from './described.ts';

/** At 9600 baud an answer takes 180 ms. */
const TIMEOUT_MS = 500;

const DEFAULT_ADDRESS = 1;

const COMMANDS = {
  status: COMMAND.telemetry,
  extras: [COMMAND.alarms],
  constants: [COMMAND.hardwareVersion, COMMAND.serialNumber],
};

/** Batteries with a BMS of PACE that speaks version 2.5 of its protocol. Nothing is ever written to them. */
export function paceFamily(timeoutMs = TIMEOUT_MS): ByteFamily {
  return {
    name: 'pace',
    title: 'PACE BMS',
    speaks: 'bytes',
    kinds: ['batteries'],
    usualUnit: DEFAULT_ADDRESS,
    line: { baudRate: 9_600, parity: 'none', stopBits: 1 },
    transports: ['serial', 'serial-tcp'],
    checkedFrame: withChecksum,
    // With all DIP switches off.
    probe: { units: [0] },
    describedUnits: DESCRIBED_UNITS,
    protocols: ['pace_rs485_v25'],
    decode: (recording) => decodeCommands(recording, Object.values(COMMAND)),
    open: (bus, { unit: address = DEFAULT_ADDRESS }, clock = systemClock) => {
      const line: BatteryLine = { bus, version: VERSION, address, timeoutMs };
      return openBattery(line, COMMANDS, clock);
    },
  };
}

export const pace = paceFamily();
