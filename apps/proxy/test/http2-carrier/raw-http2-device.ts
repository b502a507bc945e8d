import type { Socket } from 'node:net';
import { HTTP2_TUNNEL_PROTOCOL } from '@heliograph/wire';
import { dial } from '../test-device.ts';

/**
 * The first frame of an HTTP/2 server, which announces that extended CONNECT is served (RFC 9113 section 6.5,
 * RFC 8441 section 3):
 *
 *     length = 6 | type = SETTINGS | flags | stream | id = 8 (ENABLE_CONNECT_PROTOCOL) | value = 1
 */
export const FIRST_SETTINGS: Buffer = Buffer.from(
  '000006' + '04' + '00' + '00000000' + '0008' + '00000001',
  'hex',
);

/** Frame types and flags of HTTP/2 (RFC 9113 section 6). */
export const DATA = 0;
export const HEADERS = 1;
export const RST_STREAM = 3;
export const CONTINUATION = 9;
export const END_STREAM = 1;
export const END_HEADERS = 4;

/**
 * One HTTP/2 frame (RFC 9113 section 4.1):
 *
 *     length (24) | type (8) | flags (8) | reserved (1), stream (31) | payload
 */
export function frame(type: number, flags: number, stream: number, payload: Buffer | string = ''): Buffer {
  const body = Buffer.from(payload);
  const head = Buffer.alloc(9);
  head.writeUIntBE(body.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, body]);
}

/** Header fields as HPACK literals that are not indexed (RFC 7541 section 6.2.2), whatever they contain. */
export function hpack(...fields: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

/** A string literal: its length with a 7-bit prefix (RFC 7541 section 5.1), then its bytes. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}

export interface RawDeviceOptions {
  /** The certificate to trust when the proxy speaks TLS. */
  readonly ca?: Buffer | undefined;
  /** Called with each stream that the proxy resets. */
  readonly onReset?: (stream: number) => void;
}

/** A device that writes its HTTP/2 frames by hand, so that it can write wrong ones. */
export async function connectRawDevice(
  proxyUrl: string,
  token: string,
  onRequest: (stream: number, socket: Socket) => void,
  { ca, onReset }: RawDeviceOptions = {},
): Promise<Socket> {
  const socket = await dial(proxyUrl, token, { ca, protocol: HTTP2_TUNNEL_PROTOCOL });
  if ('status' in socket) throw new Error(`the proxy refused the tunnel: ${socket.status}`);
  let received = Buffer.alloc(0);
  let prefaceBytes = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'.length;
  socket.on('error', () => undefined);
  socket.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part]);
    if (received.length < prefaceBytes) return;
    received = received.subarray(prefaceBytes);
    prefaceBytes = 0;
    while (received.length >= 9 && received.length >= 9 + received.readUIntBE(0, 3)) {
      if (received[3] === HEADERS) onRequest(received.readUInt32BE(5), socket);
      if (received[3] === RST_STREAM) onReset?.(received.readUInt32BE(5));
      received = received.subarray(9 + received.readUIntBE(0, 3));
    }
  });
  socket.write(FIRST_SETTINGS);
  return socket;
}
