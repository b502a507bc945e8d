import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameReader, FrameType, frameHead, MAX_PAYLOAD_BYTES, ProtocolFault } from './frames.ts';

/** The calls of a reader for a byte stream, with parts of the same data joined. */
function read(chunks: readonly Buffer[]): string[] {
  const events: string[] = [];
  let data: { readonly connection: number; bytes: string } | undefined;
  const flush = (): void => {
    if (data !== undefined) events.push(`data ${data.connection} ${data.bytes}`);
    data = undefined;
  };
  const reader = new FrameReader({
    onDataBegin: () => undefined,
    onData: (connection, part) => {
      if (data?.connection !== connection) flush();
      data = { connection, bytes: (data?.bytes ?? '') + part.toString('hex') };
    },
    onSignal: (payload) => {
      flush();
      events.push(`signal ${payload.toString('hex')}`);
    },
    onFrame: (type, value, connection) => {
      flush();
      events.push(`${type} ${value} ${connection}`);
    },
  });
  for (const chunk of chunks) reader.read(chunk);
  flush();
  return events;
}

const id = fc.integer({ min: 1, max: 0xffffffff });
const plainType = fc.constantFrom(
  FrameType.OPEN,
  FrameType.END,
  FrameType.RESET,
  FrameType.PING,
  FrameType.PONG,
  FrameType.LEAVE,
);
const frame = fc.oneof(
  fc.tuple(id, fc.uint8Array({ minLength: 1, maxLength: 40 })).map(([connection, bytes]) => ({
    bytes: Buffer.concat([frameHead(FrameType.DATA, bytes.length, connection), bytes]),
    event: `data ${connection} ${Buffer.from(bytes).toString('hex')}`,
  })),
  fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => ({
    bytes: Buffer.concat([frameHead(FrameType.SIGNAL, 8, 0), bytes]),
    event: `signal ${Buffer.from(bytes).toString('hex')}`,
  })),
  fc.tuple(fc.integer({ min: 0, max: 0xffffff }), id).map(([value, connection]) => ({
    bytes: frameHead(FrameType.CREDIT, value, connection),
    event: `${FrameType.CREDIT} ${value} ${connection}`,
  })),
  fc.tuple(plainType, id).map(([type, connection]) => ({
    bytes: frameHead(type, 0, connection),
    event: `${type} 0 ${connection}`,
  })),
);

test('frames are read as they were written, however the bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(frame, { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 20 }),
      (frames, cuts) => {
        const bytes = Buffer.concat(frames.map((one) => one.bytes));
        const chunks: Buffer[] = [];
        for (let at = 0, n = 0; at < bytes.length; n++) {
          const to = at + (cuts[n % cuts.length] ?? 1);
          chunks.push(bytes.subarray(at, to));
          at = to;
        }
        // Two frames of data of one connection in a row are one piece of data.
        const expected = read([bytes]);
        expect(read(chunks)).toEqual(expected);
        expect(expected.filter((event) => !event.startsWith('data'))).toEqual(
          frames.map(({ event }) => event).filter((event) => !event.startsWith('data')),
        );
      },
    ),
  );
});

test.each([
  ['data without bytes', frameHead(FrameType.DATA, 0, 1), 'data of 0 bytes'],
  ['data that is too long', frameHead(FrameType.DATA, MAX_PAYLOAD_BYTES + 1, 1), 'data of 65537 bytes'],
  ['a signal of another length', frameHead(FrameType.SIGNAL, 9, 0), 'a signal of 9 bytes'],
  ['an unknown type', Buffer.from([9, 0, 0, 0, 0, 0, 0, 1]), 'a frame of the unknown type 9'],
  ['a ping with a value', frameHead(FrameType.PING, 5, 0), 'a value in a frame of type 5'],
  ['a signal of a connection', frameHead(FrameType.SIGNAL, 8, 1), 'a signal of a connection'],
  ['text of another protocol', Buffer.from('HTTP/1.1 400 Bad Request'), 'a frame of the unknown type 72'],
])('%s is a fault of the protocol', (_what, bytes, message) => {
  expect(() => read([bytes])).toThrow(new ProtocolFault(message));
});

test('data of the greatest length is handed on', () => {
  const events = read([frameHead(FrameType.DATA, MAX_PAYLOAD_BYTES, 7), Buffer.alloc(MAX_PAYLOAD_BYTES)]);
  expect(events).toEqual([`data 7 ${'00'.repeat(MAX_PAYLOAD_BYTES)}`]);
});
