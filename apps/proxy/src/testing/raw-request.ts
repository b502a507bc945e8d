import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Opens a connection to a proxy's URL for bytes that no HTTP client would send. */
export async function rawConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes and collects everything until the other side closes. */
export async function rawExchange(url: string, bytes: string): Promise<string> {
  const socket = await rawConnection(url);
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return text;
}

/** The head of a request, each line given without its line end. */
export function head(...lines: string[]): string {
  return [...lines, '', ''].join('\r\n');
}
