import { once } from 'node:events';
import { WebSocket } from 'ws';
import { PASSWORD } from './device-process.ts';

/** A value of one topic, as a client of the stream got it. */
export interface Received {
  readonly value: unknown;
  /** Milliseconds since the epoch, with fractions. */
  readonly at: number;
}

/** Follows one topic. @returns what ends it */
export async function follow(
  url: string,
  topic: string,
  onValue: (received: Received) => void,
): Promise<() => void> {
  const address = `${url.replace(/^http/, 'ws')}/api/websocket?password=${PASSWORD}&vsn=2.0.0`;
  const socket = new WebSocket(address);
  socket.on('message', (data) => {
    const at = performance.timeOrigin + performance.now();
    const [, , , event, payload] = JSON.parse(String(data));
    if (event !== 'data') return;
    for (const metric of payload.metrics) {
      if (metric.topic === topic) onValue({ value: metric.value, at });
    }
  });
  await once(socket, 'open');
  socket.send(JSON.stringify(['1', '1', 'metrics', 'phx_join', { topics: [{ topic: '*' }] }]));
  await once(socket, 'message');
  return () => socket.terminate();
}
