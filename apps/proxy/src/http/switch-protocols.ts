import type { Socket } from 'node:net';

/**
 * Answers an upgrade with 101 and hands the connection over.
 *
 * HTTP/2 takes the connection over beneath the socket, so the socket's own write must be done before: Node aborts the
 * process when an HTTP/2 session sees the end of a write that it did not begin
 * (https://github.com/nodejs/node/issues/63436), which over TLS would be the rule.
 *
 * @param head bytes that arrived with the upgrade request, before its answer
 */
export function switchProtocols(socket: Socket, protocol: string, head: Buffer, then: () => void): void {
  const answer = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;
  socket.write(answer, (error) => {
    if (error || socket.destroyed) return;
    if (head.length > 0) socket.unshift(head);
    then();
  });
}
