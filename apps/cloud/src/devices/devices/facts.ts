import {
  cleanLine,
  type DeviceConnectBody,
  type DeviceFacts,
  isDeviceAddress,
  SUPPORT_ACCESSES,
  type SupportAccess,
} from '@heliograph/contracts';

/** Properties of the hardware, by key. */
export type Params = Readonly<Record<string, string | number | boolean>>;

/** The facts of a call: those that the device reports, its address, and the region that it requests. */
export interface ReportedFacts {
  readonly arch: string | null;
  readonly board: string | null;
  readonly version: string | null;
  readonly buildDate: Date | null;
  readonly beta: boolean;
  /** An IP address, with a port where that is not 80. */
  readonly localIp: string | null;
  readonly inverter: string | null;
  readonly inverterCount: number;
  readonly inverterParams: Params;
  readonly battery: string | null;
  readonly batteryCount: number;
  readonly batteryParams: Params;
  readonly publicIp: string | null;
  readonly requestedRegion: string | null;
  readonly supportAccess: SupportAccess | null;
  readonly hardwareSilentSince: Date | null;
}

const MAX_COUNT = 1000;

/** Dates outside of these years come from a wrong clock or field. */
const DATES = { afterMs: Date.UTC(2000), beforeMs: Date.UTC(2100) } as const;

/**
 * Reads the facts that a device reports. Texts are cut and lose invisible characters; values of another type become
 * null. No fact refuses the call, as the owner could not reach the device any more.
 */
export function readFacts(
  { facts, region, support }: DeviceConnectBody,
  publicIp: string | null,
): ReportedFacts {
  const sent: Partial<Record<keyof DeviceFacts, unknown>> = isRecord(facts) ? facts : {};
  return {
    arch: textIn(sent.arch, 32),
    board: textIn(sent.board, 128),
    version: textIn(sent.version, 64),
    buildDate: dateIn(sent.build_date),
    beta: sent.beta === true,
    localIp: typeof sent.local_ip === 'string' && isDeviceAddress(sent.local_ip) ? sent.local_ip : null,
    inverter: textIn(sent.inverter, 128),
    inverterCount: countIn(sent.inverter_count),
    inverterParams: paramsIn(sent.inverter_params),
    battery: textIn(sent.battery, 128),
    batteryCount: countIn(sent.battery_count),
    batteryParams: paramsIn(sent.battery_params),
    publicIp,
    requestedRegion: textIn(region, 63),
    supportAccess: supportAccessIn(support),
    hardwareSilentSince: dateIn(sent.hardware_silent_since),
  };
}

function supportAccessIn(support: unknown): SupportAccess | null {
  const access = isRecord(support) ? support.access : undefined;
  return SUPPORT_ACCESSES.find((one) => one === access) ?? null;
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
  return ms >= DATES.afterMs && ms < DATES.beforeMs ? new Date(ms) : null;
}

function countIn(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(Math.trunc(value), MAX_COUNT) : 0;
}

/** Most keys of parameters; further ones are left out. */
const MAX_PARAMS = 32;

/** Keys that the search can name, in their order, with scalar values. */
function paramsIn(value: unknown): Params {
  if (!isRecord(value)) return {};
  const params = Object.entries(value)
    .filter(([key]) => /^[a-z][a-z0-9_]{0,31}$/.test(key))
    .map(([key, given]) => [key, typeof given === 'string' ? textIn(given, 64) : given] as const)
    .filter((param): param is [string, string | number | boolean] => isScalar(param[1]));
  return Object.fromEntries(params.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, MAX_PARAMS));
}

function isScalar(value: unknown): value is string | number | boolean {
  return (
    ['string', 'boolean'].includes(typeof value) || (typeof value === 'number' && Number.isFinite(value))
  );
}
