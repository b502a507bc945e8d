import { cleanLine, type DeviceConnectBody, type DeviceFacts, isDeviceAddress } from '@heliograph/contracts';

/** What a device reports of itself, with dates as dates, where it calls from, and which region it asks for. */
export interface ReportedFacts {
  readonly arch: string | null;
  readonly board: string | null;
  readonly version: string | null;
  readonly buildDate: Date | null;
  /** An IP address, with a port where that is not 80. */
  readonly localIp: string | null;
  readonly inverter: string | null;
  readonly inverterCount: number;
  readonly battery: string | null;
  readonly batteryCount: number;
  readonly publicIp: string | null;
  readonly requestedRegion: string | null;
}

const MAX_COUNT = 1000;

/** Software is of these years; a clock or a field that is wrong says others. */
const BUILT = { afterMs: Date.UTC(2000), beforeMs: Date.UTC(2100) } as const;

/**
 * Reads what a device sends about itself. Texts lose what is not seen and what is too long; what is not of its kind is
 * unknown. Nothing of it refuses the device, whose owner could reach it no more.
 *
 * @param publicIp where it calls from
 */
export function readFacts({ facts, region }: DeviceConnectBody, publicIp: string | null): ReportedFacts {
  const sent: Partial<Record<keyof DeviceFacts, unknown>> = isRecord(facts) ? facts : {};
  return {
    arch: textIn(sent.arch, 32),
    board: textIn(sent.board, 128),
    version: textIn(sent.version, 64),
    buildDate: dateIn(sent.build_date),
    localIp: typeof sent.local_ip === 'string' && isDeviceAddress(sent.local_ip) ? sent.local_ip : null,
    inverter: textIn(sent.inverter, 128),
    inverterCount: countIn(sent.inverter_count),
    battery: textIn(sent.battery, 128),
    batteryCount: countIn(sent.battery_count),
    publicIp,
    requestedRegion: textIn(region, 63),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** @param max length in characters */
function textIn(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null;
  return [...cleanLine(value)].slice(0, max).join('').trim() || null;
}

function dateIn(value: unknown): Date | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return ms >= BUILT.afterMs && ms < BUILT.beforeMs ? new Date(ms) : null;
}

function countIn(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(Math.trunc(value), MAX_COUNT) : 0;
}
