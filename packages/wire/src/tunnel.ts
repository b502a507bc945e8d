/**
 * The tunnel between a device and its proxy.
 *
 * The device dials the proxy and asks for an upgrade:
 *
 *     GET /tunnel HTTP/1.1
 *     Connection: Upgrade
 *     Upgrade: heliograph-tunnel/2
 *     Authorization: Bearer <tunnel token>
 *
 * After `101 Switching Protocols` the roles turn: on the same connection the proxy opens virtual connections (frames in
 * `@heliograph/tunnel`), on each of which it is a client of HTTP/1.1 and the device the server. A WebSocket takes a virtual
 * connection for itself by an ordinary upgrade. Refusals are 401 (token), 403 (another device's site) and 503 (draining).
 *
 * A proxy opens a tunnel to another proxy the same way, at {@link RELAY_PATH}, to pass on requests for sites that
 * the other one holds. Roles do not turn there: who dials opens the connections.
 */
export const TUNNEL_PATH = '/tunnel';

/** The protocol's name and version, as it stands in the Upgrade header. */
export const TUNNEL_PROTOCOL = 'heliograph-tunnel/2';

/** The protocol of devices of release 0.1: HTTP/2, on which the proxy is the client. */
export const HTTP2_TUNNEL_PROTOCOL = 'heliograph-tunnel/1';

/** How often each side pings, and how long it waits for the answer before it ends the tunnel. */
export const TUNNEL_PING_INTERVAL_MS = 15_000;
export const TUNNEL_PING_TIMEOUT_MS = 10_000;

/** Header by which the proxy forwards the client's address; a device trusts it only in the tunnel. */
export const FORWARDED_FOR_HEADER = 'x-forwarded-for';

/** Signal by which the proxy counts the device as connected, the first on each tunnel. */
export const TUNNEL_UP_SIGNAL: Buffer = Buffer.from('tunnelup');

/**
 * Signal by which a proxy asks a device to ask the cloud again where to dial, because the proxy is about to stop or is to be
 * emptied. Requests go on over this tunnel until the device, once its next one is up, leaves it.
 */
export const TUNNEL_MOVE_SIGNAL: Buffer = Buffer.from('move-on!');

/** Path at which a proxy accepts tunnels of other proxies, with a relay token as bearer token. */
export const RELAY_PATH = '/relay';
export const RELAY_PROTOCOL = 'heliograph-relay/2';

/** The protocol between proxies of release 0.1: HTTP/2, on which the proxy that dials is the client. */
export const HTTP2_RELAY_PROTOCOL = 'heliograph-relay/1';
