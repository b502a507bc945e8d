import { RELEASE_CHANNELS } from '@heliograph/kit/versions';
import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { DateTime, nullable } from '../common/schemas.ts';
import { RegistrationCode } from '../device/claim.ts';
import { DecidedDelegation, type ReportedDelegation } from '../device/delegations.ts';
import { SUPPORT_ACCESSES } from '../device/support.ts';
import { SiteUpdates } from '../sites/site.ts';
import { RECOVERY_ACCESSES, RECOVERY_EVENT_KINDS } from '../support/recovery-sessions.ts';
import { PlainText } from '../text/plain-text.ts';

const Params = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
  description: 'Properties of the hardware, by key, such as phases: 3',
});

/** A device's report about itself, for the list of sites. */
export const DeviceFacts = Type.Object({
  arch: PlainText({ maxLength: 32 }),
  board: nullable(PlainText({ maxLength: 128 })),
  version: PlainText({ maxLength: 64 }),
  build_date: nullable(Type.String({ format: 'date-time' })),
  beta: Type.Boolean({ description: 'Whether the device takes beta releases' }),
  local_ip: nullable(
    Type.String({ maxLength: 64, description: 'IP address, or address:port where the port is not 80' }),
  ),
  inverter: nullable(PlainText({ maxLength: 128 })),
  inverter_count: Type.Integer({ minimum: 0, maximum: 1000 }),
  inverter_params: Params,
  battery: nullable(PlainText({ maxLength: 128 })),
  battery_count: Type.Integer({ minimum: 0, maximum: 1000 }),
  battery_params: Params,
  hardware_silent_since: nullable(
    Type.String({
      format: 'date-time',
      description: 'Since when a connection to hardware has not answered; null while all of them answer',
    }),
  ),
});
export type DeviceFacts = Static<typeof DeviceFacts>;

/** A device's report about support recovery sessions. */
export const DeviceSupportReport = Type.Object({
  access: Type.Enum([...SUPPORT_ACCESSES], { description: 'never: the device lets no support in' }),
  ended: Type.Array(Type.Integer(), { description: 'Sessions that were ended on the device' }),
  events: Type.Array(
    Type.Object({
      id: Type.String({ maxLength: 64 }),
      session_id: Type.Integer(),
      user_id: Type.Integer(),
      at: DateTime,
      kind: Type.String({
        description: `${RECOVERY_EVENT_KINDS.join(', ')}, or one of a newer device`,
        examples: ['setting_written'],
      }),
      subject: nullable(Type.String()),
      succeeded: Type.Boolean(),
    }),
  ),
});
export type DeviceSupportReport = Static<typeof DeviceSupportReport>;

/** An active support recovery session of the device's site. */
export const DeviceSupportSession = Type.Object({
  id: Type.Integer(),
  access: Type.String({ description: `${RECOVERY_ACCESSES.join(', ')}, or one of a newer cloud` }),
  reason: Type.String(),
  firm: nullable(Type.String({ description: 'Who is let in; null for the operator of the service' })),
  expires_at: DateTime,
});
export type DeviceSupportSession = Static<typeof DeviceSupportSession>;

/**
 * `POST /api/v1/devices/connect`: a device proves its key and asks for its way in. The first call enrols it.
 * The proof is a JWT signed with the device's key (see the wire package).
 */
export const DeviceConnectBody = Type.Object({
  public_key: Type.Object({
    kty: Type.Literal('OKP'),
    crv: Type.Literal('Ed25519'),
    x: Type.String({ minLength: 43, maxLength: 43 }),
  }),
  proof: Type.String({ maxLength: 2048 }),
  facts: Type.Unsafe<DeviceFacts>(
    Type.Unknown({ description: 'DeviceFacts; unknown or invalid fields are ignored' }),
  ),
  support: Type.Optional(
    Type.Unsafe<DeviceSupportReport>(
      Type.Unknown({
        description: 'DeviceSupportReport; unknown or invalid fields are ignored',
      }),
    ),
  ),
  delegations: Type.Optional(
    Type.Unsafe<ReportedDelegation[]>(
      Type.Unknown({
        description: 'Array of ReportedDelegation, all of the site; invalid ones are ignored',
      }),
    ),
  ),
  region: Type.Optional(
    Type.String({
      maxLength: 63,
      description: 'The region whose proxies are nearest; another one serves while it has none',
    }),
  ),
  installation: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{22}$',
      description:
        'Distinguishes the computers that one identity was restored on. A new one replaces the one before, which is refused from then on',
    }),
  ),
  wants_registration_code: Type.Optional(
    Type.Boolean({
      description: 'Whether a person is to see a code on the page of the device, if it was released',
    }),
  ),
  unreachable: Type.Optional(
    Type.Array(Type.String({ maxLength: 63 }), {
      maxItems: 8,
      description: 'Names of proxies that the device could not reach just now; others are preferred',
    }),
  ),
});
export type DeviceConnectBody = Static<typeof DeviceConnectBody>;

/**
 * The cloud's answer. `inactive`: the device is not activated yet; `unregistered`: it belongs to no account
 * yet; `ready`: dial `proxy.url` with `tunnel_token`.
 */
export const DeviceConnectAnswer = Type.Union([
  Type.Object({
    status: Type.Literal('inactive'),
    retry_after_s: Type.Integer(),
    released: Type.Optional(
      Type.Object(
        { registration_code: nullable(RegistrationCode) },
        { description: 'For a device that was released: a code, where it wants one, activates it again' },
      ),
    ),
  }),
  Type.Object({ status: Type.Literal('unregistered'), retry_after_s: Type.Integer() }),
  Type.Object({
    status: Type.Literal('ready'),
    site_id: Type.Integer(),
    site_name: nullable(Type.String()),
    proxy: Type.Object({ name: Type.String(), url: Type.String() }),
    tunnel_token: Type.String(),
    revocations: Type.Optional(
      Type.Array(Type.Object({ subject: Type.String(), revoked_at: DateTime }), {
        description:
          'What was revoked of the site while a site token of before can still be alive. A subject is user:<id>: site tokens issued to the account before; token:<id>, grant:<id> or recovery:<id>: all that were issued for it',
      }),
    ),
    support: Type.Optional(
      Type.Object({
        sessions: Type.Array(DeviceSupportSession),
        received: Type.Array(Type.String(), { description: 'Ids of reported events that the cloud has' }),
      }),
    ),
    delegations: Type.Optional(Type.Array(DecidedDelegation)),
    updates: Type.Optional(
      Type.Object({
        ...SiteUpdates.properties,
        channel: Type.String({ description: `${RELEASE_CHANNELS.join(', ')}, or one of a newer cloud` }),
      }),
    ),
  }),
]);
export type DeviceConnectAnswer = Static<typeof DeviceConnectAnswer>;

export const connectOperations = operations('internal', {
  connectDevice: {
    route: 'POST /api/v1/devices/connect',
    summary: 'A device proves its key, is enrolled, and learns where to dial',
    // The body carries the device's own proof.
    requires: 'nothing',
    body: DeviceConnectBody,
    cleansText: true,
    answers: { 200: DeviceConnectAnswer },
    refusals: [401, 403, 422],
  },
});
