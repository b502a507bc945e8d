import { once } from 'node:events';
import { type AddressInfo, connect, createServer, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';

/** A peer that is destroyed still sends what it has written, for so many turns of the event loop at most. */
const MAX_TURNS_TO_LEAVE = 200;

/** A character to cut is looked for so far. */
const MAX_SEARCHED_BYTES = 4_096;

/**
 * Sends what a peer writes in pieces, as a network may deliver it: the first byte alone, the rest cut in the middle, and within a
 * character beyond ASCII. Each takes a turn of the event loop; the end comes after the last.
 *
 * @param peer a stream, or a server whose connections are such peers
 */
export function inPieces<Peer extends Server | Duplex>(peer: Peer): Peer {
  if (peer instanceof Server) {
    // Before the server's own listeners: they may write immediately.
    peer.prependListener(peer instanceof TlsServer ? 'secureConnection' : 'connection', divideWrites);
  } else divideWrites(peer);
  return peer;
}

/**
 * Relays connections to a port of this machine, both ways in pieces: for HTTP/2, which writes to the handle of a socket itself, past
 * everything above it. An end of one side is one of the other; so is a loss.
 */
export function relayInPieces(port: () => number): Server {
  return createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      inPieces(from).pipe(to);
      from.on('error', () => to.resetAndDestroy());
      from.on('close', () => to.destroy());
    }
  });
}

/** Connects to a port of this machine through a relay that delivers in pieces what either end writes. */
export async function connectInPieces(port: number): Promise<Socket> {
  const relay = relayInPieces(() => port).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const socket = connect((relay.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  relay.close();
  return socket;
}

function divideWrites(stream: Duplex): void {
  if (stream instanceof Socket) stream.setNoDelay(true);
  const write = stream._write.bind(stream);
  stream._write = (chunk: Buffer | string, encoding, done) => {
    const pieces = piecesOf(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
    const next = (error?: Error | null): void => {
      const piece = pieces.shift();
      if (error || piece === undefined) done(error);
      else write(piece, 'buffer' as BufferEncoding, (failure) => void setImmediate(next, failure));
    };
    // Also before the first: within this turn it would arrive together with the second.
    setImmediate(next);
  };
  Object.defineProperty(stream, '_writev', { value: undefined });
  const destroy = stream.destroy.bind(stream);
  let turns = 0;
  const leave = (error: Error | undefined): void => {
    turns += 1;
    if (stream.writableLength === 0 || turns > MAX_TURNS_TO_LEAVE) destroy(error);
    else setImmediate(leave, error);
  };
  stream.destroy = (error) => {
    if (turns === 0) leave(error);
    return stream;
  };
}

function piecesOf(bytes: Buffer): Buffer[] {
  // The second byte of a character in UTF-8 begins with the bits 10, the first with 11.
  const withinCharacter = bytes
    .subarray(0, MAX_SEARCHED_BYTES)
    .findIndex((byte, at) => byte >> 6 === 2 && (bytes[at - 1] ?? 0) >> 6 === 3);
  const cuts = new Set([1, withinCharacter, bytes.length >> 1].filter((at) => at > 0 && at < bytes.length));
  const bounds = [0, ...[...cuts].toSorted((a, b) => a - b), bytes.length];
  return bounds.slice(1).map((end, index) => bytes.subarray(bounds[index], end));
}
