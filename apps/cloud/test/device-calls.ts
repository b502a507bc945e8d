import { generateSigningKey, type SigningKey, signDeviceProof, uidOf } from '@heliograph/wire';
import type { Answer, TestCloud } from './test-cloud.ts';

export const FACTS = {
  arch: 'arm64',
  board: 'Raspberry Pi 5',
  version: '0.1.0',
  build_date: '2026-06-01T00:00:00Z',
  local_ip: '192.168.1.7',
  inverter: 'SunSpec',
  inverter_count: 1,
  battery: null,
  battery_count: 0,
};

/** A device as far as the cloud knows one: what holds a key. */
export interface TestDevice {
  readonly key: SigningKey;
  readonly uid: string;
}

export async function newDevice(): Promise<TestDevice> {
  const key = await generateSigningKey();
  return { key, uid: uidOf(key.publicJwk) };
}

/** The body of a device's connect request, with a valid proof. */
export async function connectBody(
  { key, uid }: TestDevice,
  at: TestCloud,
  { facts, ...details }: ConnectDetails = {},
) {
  const { kty, crv, x } = key.publicJwk;
  return {
    public_key: { kty, crv, x },
    proof: await signDeviceProof(key, uid, at.url, at.clock.now()),
    facts: { ...FACTS, ...facts },
    ...details,
  };
}

/** Fields of the connect request besides the proof. */
interface ConnectDetails {
  readonly facts?: object;
  readonly region?: string;
  readonly support?: unknown;
  readonly delegations?: unknown;
  readonly unreachable?: readonly string[];
  readonly installation?: string;
  readonly wants_registration_code?: boolean;
}

export interface DeviceCall extends ConnectDetails {
  readonly from?: string;
}

export async function connect(
  at: TestCloud,
  device: TestDevice,
  { from, ...details }: DeviceCall = {},
): Promise<Answer> {
  const body = await connectBody(device, at, details);
  return at.call('POST /api/v1/devices/connect', { body, ...(from !== undefined && { from }) });
}

/** Audit records of a device, the oldest first. */
export function auditOf(at: TestCloud, uid: string) {
  return at.db
    .selectFrom('audit_events')
    .select(['action', 'via', 'actor_id as actorId', 'organization_id as organizationId', 'details'])
    .where('device_uid', '=', uid)
    .orderBy('id')
    .execute();
}
