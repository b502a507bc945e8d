import { readFile } from 'node:fs/promises';
import WebSocket from 'ws';

const LISTENING = /Debugger listening on (ws:\/\/\S+)/g;

/** Node's own options for a process whose heap {@link collectedHeapMb} measures; the inspector takes a free loopback port. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' } as const;

/**
 * Collects the garbage of a process, and measures the rest.
 *
 * @param logFile what the process has printed; its inspector prints its address there
 * @returns MB (10^6 bytes) of JavaScript objects that are in use
 */
export async function collectedHeapMb(logFile: string): Promise<number> {
  const url = [...(await readFile(logFile, 'utf8')).matchAll(LISTENING)].at(-1)?.[1];
  if (url === undefined) throw new Error(`No inspector has printed its address in ${logFile}`);
  const socket = new WebSocket(url);
  try {
    await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
    // Objects with finalizers are gone after a second collection only.
    await call(socket, 1, 'HeapProfiler.collectGarbage');
    await call(socket, 2, 'HeapProfiler.collectGarbage');
    const { usedSize } = (await call(socket, 3, 'Runtime.getHeapUsage')) as { usedSize: number };
    return usedSize / 1e6;
  } finally {
    socket.terminate();
  }
}

/** One call of the Chrome DevTools protocol. */
async function call(socket: WebSocket, id: number, method: string): Promise<unknown> {
  return await new Promise((resolve, reject) => {
    const listen = (data: WebSocket.RawData): void => {
      const message = JSON.parse(String(data)) as {
        id?: number;
        result?: unknown;
        error?: { message: string };
      };
      if (message.id !== id) return;
      socket.off('message', listen);
      if (message.error) reject(new Error(`${method}: ${message.error.message}`));
      else resolve(message.result);
    };
    socket.on('message', listen).once('close', () => reject(new Error(`${method}: the inspector closed`)));
    socket.send(JSON.stringify({ id, method }));
  });
}
