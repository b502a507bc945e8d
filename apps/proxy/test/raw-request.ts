import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { inPieces } from '@heliograph/dev/in-pieces';

/** Opens a connection to a proxy's URL for bytes that no HTTP client would send. */
export async function rawConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = inPieces(connect({ host: hostname, port: Number(port) }));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Collects what comes until this text has come. */
export async function receivedUntil(socket: Socket, end: string): Promise<string> {
  let text = '';
  while (!text.includes(end)) text += (await once(socket, 'data'))[0];
  return text;
}

/** Collects so many bytes of a body, as text. */
export async function readText(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  bytes: number,
): Promise<string> {
  let text = '';
  while (text.length < bytes) {
    const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    text += Buffer.from(value).toString('latin1');
  }
  return text;
}

/** Sends bytes and collects everything until the other side closes. */
export async function rawExchange(url: string, bytes: string): Promise<string> {
  const socket = await rawConnection(url);
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  socket.write(bytes, 'latin1');
  // An error is no failure: a proxy may close before it has read all.
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

/** The head of a request, each line given without its line end. */
export function head(...lines: string[]): string {
  return [...lines, '', ''].join('\r\n');
}
