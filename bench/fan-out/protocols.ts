import type { Socket } from 'node:net';

/** As much of a protocol as a client needs that only reads. */
export interface Protocol {
  /** Subscribes, after the first answer. */
  readonly request: Buffer;
  /** Heartbeat of the client. */
  readonly beat: Buffer;
  /** Splits a stream of bytes into messages. @returns a function that takes the bytes in order, in chunks of any size */
  readMessages(socket: Socket, onMessage: (payload: Buffer) => void): (part: Buffer) => void;
}

export type ProtocolName = 'websocket' | 'mqtt';

/** Bounds of a frame's payload; undefined while the frame is incomplete. */
type Bounds = { readonly start: number; readonly end: number } | undefined;

const TOPIC = 'bench';
const JOIN = JSON.stringify(['1', '1', 'metrics', 'phx_join', { topics: [{ topic: '*' }] }]);

export const PROTOCOLS: Readonly<Record<ProtocolName, Protocol>> = {
  websocket: {
    request: clientFrame(1, Buffer.from(JOIN)),
    beat: clientFrame(9, Buffer.alloc(0)),
    readMessages: (socket, onMessage) =>
      frameReader(webSocketBounds, (frame, { start, end }) => {
        const opcode = (frame[0] ?? 0) & 15;
        if (opcode === 9) socket.write(clientFrame(10, frame.subarray(start, end)));
        else if (opcode === 1) onMessage(frame.subarray(start, end));
      }),
  },
  mqtt: {
    request: mqttPacket(0x82, Buffer.concat([Buffer.from([0, 1]), mqttText(TOPIC), Buffer.from([0])])),
    beat: mqttPacket(0xc0, Buffer.alloc(0)),
    readMessages: (_socket, onMessage) =>
      frameReader(mqttBounds, (frame, { start, end }) => {
        const isPublish = (frame[0] ?? 0) >> 4 === 3;
        if (isPublish) onMessage(frame.subarray(start + 2 + TOPIC.length, end));
      }),
  },
};

/** MQTT 3.1.1, section 3.1: clean session, no keep-alive, and the broker makes up a name. */
export const MQTT_HELLO = mqttPacket(
  0x10,
  Buffer.concat([mqttText('MQTT'), Buffer.from([4, 2, 0, 0]), mqttText('')]),
);

/** Section 3.3, at most once. */
export function mqttPublish(payload: string): Buffer {
  return mqttPacket(0x30, Buffer.concat([mqttText(TOPIC), Buffer.from(payload)]));
}

/** A text frame of a server (RFC 6455 section 5.2). */
export function serverFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.from([0x81, 126, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([head, payload]);
}

/** A client must mask its frames (section 5.3); with a mask of zeros the payload stays as it is. */
function clientFrame(opcode: number, payload: Buffer): Buffer {
  if (payload.length > 125) throw new RangeError('only short frames are sent');
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}

function webSocketBounds(bytes: Buffer): Bounds {
  if (bytes.length < 10) return bytes.length >= 2 ? shortBounds(bytes) : undefined;
  const length = (bytes[1] ?? 0) & 127;
  if (length === 127) return { start: 10, end: 10 + Number(bytes.readBigUInt64BE(2)) };
  return shortBounds(bytes);
}

function shortBounds(bytes: Buffer): Bounds {
  const length = (bytes[1] ?? 0) & 127;
  if (length < 126) return { start: 2, end: 2 + length };
  return bytes.length < 4 || length === 127 ? undefined : { start: 4, end: 4 + bytes.readUInt16BE(2) };
}

/** Section 2.2.3: seven bits a byte, the lowest first. */
function mqttBounds(bytes: Buffer): Bounds {
  let length = 0;
  for (let index = 1; index < 5 && index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    length |= (byte & 127) << (7 * (index - 1));
    if (byte < 128) return { start: index + 1, end: index + 1 + length };
  }
  return undefined;
}

function mqttPacket(type: number, body: Buffer): Buffer {
  const length: number[] = [];
  let rest = body.length;
  for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([type, ...length, rest]), body]);
}

function mqttText(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
}

function frameReader(
  boundsOf: (bytes: Buffer) => Bounds,
  onFrame: (frame: Buffer, bounds: NonNullable<Bounds>) => void,
): (part: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (part) => {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part]);
    for (
      let bounds = boundsOf(rest);
      bounds !== undefined && bounds.end <= rest.length;
      bounds = boundsOf(rest)
    ) {
      onFrame(rest.subarray(0, bounds.end), bounds);
      rest = rest.subarray(bounds.end);
    }
  };
}
