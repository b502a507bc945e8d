import { once } from 'node:events';
import { expect } from 'vitest';
import { WebSocket } from 'ws';

export type Frame = [
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  payload: Record<string, unknown>,
];

/** A client that shows every frame as it came. */
export interface StreamClient {
  readonly socket: WebSocket;
  readonly frames: Frame[];
  /** The exact texts. */
  readonly texts: string[];
  send(...frame: Frame): void;
  /** Sends a text as it is. */
  sendText(text: string): void;
  /** Waits for the next frame that passes, starting at the first not yet taken. */
  next(event: string, passes?: (frame: Frame) => boolean): Promise<Frame>;
  /** Everything since the last `next` with this event. */
  events(event: string): Frame[];
  readonly closed: Promise<[code: number, reason: string]>;
}

export async function connectStream(
  url: string,
  headers: Record<string, string> = {},
): Promise<StreamClient> {
  const socket = new WebSocket(url, { headers });
  const texts: string[] = [];
  const frames: Frame[] = [];
  let taken = 0;
  socket.on('message', (data) => {
    texts.push(String(data));
    frames.push(frameOf(JSON.parse(String(data))));
  });
  const closed = new Promise<[number, string]>((resolve) => {
    socket.on('close', (code, reason) => resolve([code, String(reason)]));
  });
  await once(socket, 'open');
  return {
    socket,
    frames,
    texts,
    closed,
    send: (...frame) => socket.send(JSON.stringify(frame)),
    sendText: (text) => socket.send(text),
    events: (event) => frames.slice(taken).filter((frame) => frame[3] === event),
    async next(event, passes = () => true) {
      const isIt = (frame: Frame, index: number) => index >= taken && frame[3] === event && passes(frame);
      const message = `a "${event}" frame`;
      await expect.poll(() => frames.some(isIt), { message, interval: 5 }).toBe(true);
      const index = frames.findIndex(isIt);
      taken = index + 1;
      return frames[index] as Frame;
    },
  };
}

/** The status that an upgrade is refused with. */
export async function refusedStatus(url: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(url, { headers });
  socket.on('error', () => undefined);
  const [, response] = await once(socket, 'unexpected-response');
  const { statusCode } = response as { statusCode: number };
  socket.terminate();
  return statusCode;
}

function frameOf(parsed: unknown): Frame {
  if (Array.isArray(parsed)) return parsed as Frame;
  const { join_ref, ref, topic, event, payload } = parsed as Record<string, never>;
  return [join_ref ?? null, ref ?? null, topic ?? '', event ?? '', payload ?? {}];
}
