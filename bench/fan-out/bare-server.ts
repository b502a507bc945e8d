import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { serverFrame } from './protocols.ts';
import { type Sent, sentNow } from './sent.ts';

/** The least there can be: the same frames, written straight to the clients by a process that does nothing else. */
const sockets = new Set<Socket>();
const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.once('close', () => sockets.delete(socket));
  socket.once('data', () => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    sockets.add(socket);
    socket.resume();
  });
});
process.once('message', ({ message }: Sent) => {
  setInterval(() => {
    const frame = serverFrame(sentNow(message));
    for (const socket of sockets) socket.write(frame);
  }, 1_000);
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
});
process.once('disconnect', () => process.kill(process.pid));
