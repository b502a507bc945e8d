import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { Duplex } from 'node:stream';

/** The Wi-Fi module of GoodWe puts it before every answer. Source: marcelblijleven/goodwe. */
const ANSWER_START = Buffer.from([0xaa, 0x55]);

/**
 * Opens a line over which each request is one datagram, and each answer another.
 *
 * @throws Error when the host has no address, or the signal aborts
 */
export async function dialUdp(host: string, port: number, closing: AbortSignal): Promise<Duplex> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const line = new Duplex({
    read: () => undefined,
    write: (bytes: Buffer, _encoding, done) => socket.send(bytes, done),
    destroy: (error, done) => {
      socket.close(() => done(error));
    },
  });
  socket.on('message', (bytes) => {
    const isMarked = bytes.subarray(0, ANSWER_START.length).equals(ANSWER_START);
    line.push(isMarked ? bytes.subarray(ANSWER_START.length) : bytes);
  });
  // Errors, such as those of a host without this port, are followed by `close`, which the link listens to.
  socket.on('error', () => line.destroy());
  line.on('error', () => undefined);
  socket.connect(port, host);
  try {
    await once(socket, 'connect', { signal: closing });
    return line;
  } catch (error) {
    line.destroy();
    throw error;
  }
}
