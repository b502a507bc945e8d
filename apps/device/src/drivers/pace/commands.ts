import type { BatteryCommand } from '../ascii-frame/battery-command.ts';
import { parseAlarms } from './alarms.ts';
import { parseHardwareVersion, parseSerialNumber } from './identity.ts';
import { parseTelemetry } from './telemetry.ts';

/** The version of the protocol that is requested. */
export const VERSION = 0x25;

/** Those that write (99H to 9CH, and the even ones from B0H on) switch or configure a battery and are left alone. */
export const COMMAND = {
  telemetry: { code: 0x42, info: (address) => [address], parse: parseTelemetry },
  alarms: { code: 0x44, info: (address) => [address], parse: parseAlarms },
  hardwareVersion: { code: 0xc1, info: () => [], parse: parseHardwareVersion },
  serialNumber: { code: 0xc2, info: () => [], parse: parseSerialNumber },
} as const satisfies Readonly<Record<string, BatteryCommand>>;
