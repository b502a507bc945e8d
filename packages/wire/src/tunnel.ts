/**
 * The tunnel between a device and its proxy.
 *
 * The device dials the proxy and asks for an upgrade:
 *
 *     GET /tunnel HTTP/1.1
 *     Connection: Upgrade
 *     Upgrade: heliograph-tunnel/1
 *     Authorization: Bearer <tunnel token>
 *
 * After `101 Switching Protocols` the roles turn: on the same connection the proxy is an HTTP/2 client and
 * the device the HTTP/2 server. Each client request is one stream; a WebSocket is an extended CONNECT
 * (RFC 8441). Refusals are 401 (token), 403 (another device's site) and 503 (draining).
 *
 * A proxy opens a tunnel to another proxy the same way, at {@link RELAY_PATH}, to pass on requests for sites that
 * the other one holds. Roles do not turn there: who dials is the HTTP/2 client.
 */
export const TUNNEL_PATH = '/tunnel';

/** The protocol's name and version, as it stands in the Upgrade header. */
export const TUNNEL_PROTOCOL = 'heliograph-tunnel/1';

/** How often each side pings, and how long it waits for the answer before it ends the session. */
export const TUNNEL_PING_INTERVAL_MS = 15_000;
export const TUNNEL_PING_TIMEOUT_MS = 10_000;

/**
 * Header by which the proxy forwards the client's address; a device trusts it only on a tunnel
 * stream.
 */
export const FORWARDED_FOR_HEADER = 'x-forwarded-for';

/**
 * Payload of an HTTP/2 ping by which a proxy asks a device to ask the cloud again where to dial, because the proxy
 * is about to stop or is to be emptied. Requests go on over this tunnel until the device, once its next one is up,
 * ends it with GOAWAY.
 */
export const TUNNEL_MOVE_PING: Buffer = Buffer.from('move-on!');

/** Path at which a proxy accepts tunnels of other proxies, with a relay token as bearer token. */
export const RELAY_PATH = '/relay';
export const RELAY_PROTOCOL = 'heliograph-relay/1';
