import type {
  DeviceConnectAnswer,
  DeviceState,
  DeviceSummary,
  DeviceSupportSession,
  ListedDevice,
  Locale,
  RegistrationCode,
} from '@heliograph/contracts';
import { personName } from '@heliograph/kit/person-name';
import type { ActiveSession } from '../../support/recovery-sessions/participation.ts';
import type { ProxyDirectory } from '../proxies/service.ts';
import type { EnrolledDevice } from './enrolment-repository.ts';
import type { Reach } from './policy.ts';
import type { DeviceRecord, ListedDeviceRecord } from './rows.ts';

type ReadyAnswer = Extract<DeviceConnectAnswer, { status: 'ready' }>;

interface WayIn {
  readonly siteId: number;
  readonly tunnelToken: string;
  readonly revocations: NonNullable<ReadyAnswer['revocations']>;
  readonly support: NonNullable<ReadyAnswer['support']>;
  /** Undefined for a device that reports none. */
  readonly delegations: ReadyAnswer['delegations'] | undefined;
}

export function presentWaiting(
  status: 'inactive' | 'unregistered',
  retryAfterS: number,
): DeviceConnectAnswer {
  return { status, retry_after_s: retryAfterS };
}

/** To devices that do not know of codes, it waits for its activation. */
export function presentReleased(
  retryAfterS: number,
  code: RegistrationCode | undefined,
): DeviceConnectAnswer {
  const released = { registration_code: code ?? null };
  return { status: 'inactive', retry_after_s: retryAfterS, released };
}

export function presentReady(
  { siteName, updateChannel, automaticUpdates }: EnrolledDevice,
  proxy: { readonly name: string; readonly url: string },
  { siteId, tunnelToken, revocations, support, delegations }: WayIn,
): DeviceConnectAnswer {
  return {
    status: 'ready',
    site_id: siteId,
    site_name: siteName,
    proxy: { name: proxy.name, url: proxy.url },
    tunnel_token: tunnelToken,
    revocations,
    support,
    ...(delegations === undefined ? {} : { delegations }),
    updates: { channel: updateChannel ?? 'stable', automatic: automaticUpdates ?? false },
  };
}

export function presentSession({ expiresAt, ...session }: ActiveSession): DeviceSupportSession {
  return { ...session, expires_at: expiresAt.toISOString() };
}

/** @param proxies a device is online only while its proxy is live, whatever its row has */
export function presentDevice(device: DeviceRecord, proxies: ProxyDirectory): DeviceSummary {
  return {
    uid: device.uid,
    state: stateOf(device),
    organization_id: device.organizationId,
    site_id: device.siteId,
    enrolled_at: dateOf(device.enrolledAt),
    activated_at: dateOf(device.activatedAt),
    revoked_at: dateOf(device.revokedAt),
    online: proxies.holder(device) !== undefined,
    presence: proxies.stateOf(device),
    last_seen_at: dateOf(proxies.lastSeen(device)),
    proxy: device.proxyName,
    arch: device.arch,
    board: device.board,
    version: device.version,
    build_date: dateOf(device.buildDate),
    local_ip: device.localIp,
    inverter: device.inverter,
    inverter_count: device.inverterCount,
    battery: device.battery,
    battery_count: device.batteryCount,
  };
}

/** An employee of an organization may see a device without seeing its site, so names are for operators alone. */
export function presentListed(
  device: ListedDeviceRecord,
  proxies: ProxyDirectory,
  { everything }: Pick<Reach, 'everything'>,
  locale: Locale,
): ListedDevice {
  const { ownerEmail: email, ownerFirstName: first, ownerLastName: last } = device;
  const ownerName =
    email === null ? null : personName({ email, first_name: first ?? '', last_name: last ?? '' }, locale);
  return {
    ...presentDevice(device, proxies),
    organization_name: everything ? device.organizationName : null,
    site_name: everything ? device.siteName : null,
    owner_name: everything ? ownerName : null,
  };
}

function stateOf({ revokedAt, siteId, formerSiteId, enrolledAt, activatedAt }: DeviceRecord): DeviceState {
  if (revokedAt !== null) return 'revoked';
  if (siteId !== null) return 'registered';
  if (formerSiteId !== null) return 'released';
  if (enrolledAt === null) return 'provisioned';
  return activatedAt === null ? 'inactive' : 'unregistered';
}

function dateOf(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
