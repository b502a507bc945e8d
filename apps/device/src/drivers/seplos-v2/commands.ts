import type { BatteryCommand } from '../ascii-frame/battery-command.ts';
import { parseAlarms } from './alarms.ts';
import { parseTelemetry } from './telemetry.ts';

/** The version of the protocol that is requested. */
export const VERSION = 0x20;

/** INFO of both requests: the command group. */
const GROUP = 1;

export const COMMAND = {
  telemetry: { code: 0x42, info: () => [GROUP], parse: parseTelemetry },
  alarms: { code: 0x44, info: () => [GROUP], parse: parseAlarms },
} as const satisfies Readonly<Record<string, BatteryCommand>>;
