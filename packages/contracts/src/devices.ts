import { type Static, Type } from 'typebox';
import { nullable } from './common.ts';

/** What a device tells the cloud about itself. */
export const DeviceFacts = Type.Object({
  arch: Type.String({ maxLength: 32 }),
  board: nullable(Type.String({ maxLength: 128 })),
  version: Type.String({ maxLength: 64 }),
  build_date: nullable(Type.String({ format: 'date-time' })),
  local_ip: nullable(
    Type.String({ maxLength: 64, description: 'host, or host:port where the port is not 80' }),
  ),
  inverter: nullable(Type.String({ maxLength: 128 })),
  inverter_count: Type.Integer({ minimum: 0, maximum: 1000 }),
  battery: nullable(Type.String({ maxLength: 128 })),
  battery_count: Type.Integer({ minimum: 0, maximum: 1000 }),
});
export type DeviceFacts = Static<typeof DeviceFacts>;

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
  facts: DeviceFacts,
});
export type DeviceConnectBody = Static<typeof DeviceConnectBody>;

/**
 * The cloud's answer. `inactive`: nobody activated the device yet; `unregistered`: it belongs to no account
 * yet; `ready`: dial `proxy.url` with `tunnel_token`.
 */
export const DeviceConnectAnswer = Type.Union([
  Type.Object({ status: Type.Literal('inactive'), retry_after_s: Type.Integer() }),
  Type.Object({ status: Type.Literal('unregistered'), retry_after_s: Type.Integer() }),
  Type.Object({
    status: Type.Literal('ready'),
    site_id: Type.Integer(),
    site_name: nullable(Type.String()),
    proxy: Type.Object({ name: Type.String(), url: Type.String() }),
    tunnel_token: Type.String(),
  }),
]);
export type DeviceConnectAnswer = Static<typeof DeviceConnectAnswer>;

/**
 * `PUT /api/v1/proxies/{name}`: a proxy announces itself and every session it holds, every few seconds and
 * at once when a session comes or goes. Authenticated with the proxy secret.
 */
export const ProxyAnnounceBody = Type.Object({
  host: Type.String({
    description: 'What clients put after https://, with the port if it is not the default',
  }),
  url: Type.String({ description: 'Where devices dial' }),
  region: Type.String(),
  sessions: Type.Array(Type.Object({ uid: Type.String(), site_id: Type.Integer() })),
});
export type ProxyAnnounceBody = Static<typeof ProxyAnnounceBody>;
