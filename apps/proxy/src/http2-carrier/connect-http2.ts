import { type ClientHttp2Session, connect, type Settings } from 'node:http2';
import type { Socket } from 'node:net';
import { messageOf } from '@heliograph/kit';
import type { Link, LinkListener } from '../links/link.ts';
import { Http2Link } from './http2-link.ts';

/**
 * Buffer of one answer for a slow client, in bytes; a device serves thousands of clients. It allows
 * 10 Mbit/s at 50 ms between proxy and device, which is more than most homes can send.
 */
const STREAM_WINDOW_BYTES = 64 * 1024;
/** Receive window of one device for all its streams together, in bytes. */
const SESSION_WINDOW_BYTES = 4 * 1024 * 1024;
/** Memory of one HTTP/2 session, in megabytes; beyond it new streams are refused. */
const SESSION_MEMORY_MB = 16;
/** Longest head of a device's answer, in bytes. */
const MAX_RESPONSE_HEAD_BYTES = 32 * 1024;

/** How long a device has to speak HTTP/2 after its upgrade, in milliseconds. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

const NOT_IN_TIME =
  'no HTTP/2 settings in time: something between device and proxy changes or holds back what they say';
const LOST = 'the device closed the connection before it spoke HTTP/2';
const TOO_OLD = 'the device does not offer extended CONNECT: its software is too old';

/**
 * Speaks HTTP/2 with a device or a proxy of release 0.1. It becomes reachable once
 * its settings say that it serves what the proxy will ask. Release 0.3 takes none of them any more, and deletes this folder.
 *
 * Everything that only the handshake needs is let go of when it is over: tens of thousands of tunnels stay.
 *
 * @throws with the reason, in words for the log; the connection is gone then
 */
export async function connectHttp2(
  socket: Socket,
  timeoutMs = HANDSHAKE_TIMEOUT_MS,
): Promise<(listener: LinkListener) => Link> {
  const http2 = await performHandshake(socket, timeoutMs);
  return (listener) => new Http2Link(http2, socket, listener);
}

/** @throws with the reason, in words for the log; the connection is gone then */
export function performHandshake(socket: Socket, timeoutMs: number): Promise<ClientHttp2Session> {
  const http2 = connectThrough(socket);
  return new Promise((resolve, reject) => {
    const cleanUp = (): void => {
      clearTimeout(timer);
      http2.off('error', onError);
      http2.off('close', onClose);
      http2.off('remoteSettings', onSettings);
    };
    const fail = (reason: string): void => {
      cleanUp();
      http2.on('error', ignore);
      http2.destroy();
      socket.destroy();
      reject(new Error(reason));
    };
    const timer = setTimeout(fail, timeoutMs, NOT_IN_TIME);
    const onError = (error: Error): void => fail(messageOf(error));
    const onClose = (): void => fail(LOST);
    const onSettings = (settings: Settings): void => {
      if (settings.enableConnectProtocol !== true) fail(TOO_OLD);
      else {
        cleanUp();
        resolve(http2);
      }
    };
    http2.on('error', onError);
    http2.on('close', onClose);
    http2.on('remoteSettings', onSettings);
  });
}

function connectThrough(socket: Socket): ClientHttp2Session {
  socket.setTimeout(0);
  socket.setNoDelay(true);
  // Sockets of an HTTP server stay half open when the other side ends; a tunnel has no use for that.
  socket.on('end', destroy);
  const http2 = connect('http://device', {
    createConnection: () => socket,
    maxSessionMemory: SESSION_MEMORY_MB,
    settings: {
      enablePush: false,
      initialWindowSize: STREAM_WINDOW_BYTES,
      maxHeaderListSize: MAX_RESPONSE_HEAD_BYTES,
    },
  });
  http2.setLocalWindowSize(SESSION_WINDOW_BYTES);
  return http2;
}

function destroy(this: Socket): void {
  this.destroy();
}

function ignore(): void {
  // The reason is known already.
}
