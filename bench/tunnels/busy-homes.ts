import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { dialTunnel, type TunnelHandler, TunnelServing } from '@heliograph/device/uplink';

/** Homes whose tunnels are the device's own, of one process. */
export interface BusyHomesOrder {
  readonly proxyUrl: string;
  /** One a home. */
  readonly tokens: readonly string[];
  /** The certificate to trust, PEM, where the proxy speaks TLS. */
  readonly ca: string | undefined;
}

/** How many dial at a time. */
const DIALLING = 20;
/** How long an answer takes, so that as many requests are under way as there are clients. */
const ANSWER_MS = 1_000;
const ANSWER = Buffer.alloc(3_800, 'x');
/** An unmasked binary frame (RFC 6455 section 5.2) of 600 bytes, as values of a stream have, and how often it is sent. */
const FRAME = Buffer.concat([Buffer.from([0x82, 126, 600 >> 8, 600 & 0xff]), Buffer.alloc(600)]);
const FRAME_INTERVAL_MS = 1_000;
/** Appended to a WebSocket's key before it is hashed (RFC 6455 section 1.3). */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const handler: TunnelHandler = {
  request(_request, response) {
    void delay(ANSWER_MS).then(() => response.end(ANSWER));
  },
  upgrade({ socket, headers }) {
    const accept = createHash('sha1')
      .update(`${headers['sec-websocket-key']}${ACCEPT_SUFFIX}`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    const timer = setInterval(() => socket.write(FRAME), FRAME_INTERVAL_MS);
    socket.resume().once('close', () => clearInterval(timer));
  },
};

process.once('message', async ({ proxyUrl, tokens, ca }: BusyHomesOrder) => {
  const signal = new AbortController().signal;
  let next = 0;
  const dialler = async (): Promise<void> => {
    for (let token = tokens[next++]; token !== undefined; token = tokens[next++]) {
      const socket = await dialTunnel({ proxyUrl, tunnelToken: token, signal, ca });
      await new TunnelServing(handler).serve(socket).up;
    }
  };
  await Promise.all(Array.from({ length: DIALLING }, dialler));
  process.send?.('up');
});
process.once('disconnect', () => process.kill(process.pid));
