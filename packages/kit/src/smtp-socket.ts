import { connect, type Socket } from 'node:net';

/** Address of a mail server, as nodemailer passes it. */
export interface MailServer {
  readonly host?: string | undefined;
  readonly port?: number | string | undefined;
  readonly secure?: boolean | undefined;
  readonly connectionTimeout?: number | undefined;
}

export type Connected = (error: Error | null, socket?: { readonly connection: Socket }) => void;

/** Submission, and the same in TLS from its start (RFC 8314). */
const PORT = 587;
const TLS_PORT = 465;

/** Milliseconds, for a server without a `connectionTimeout`. */
const TIMEOUT_MS = 10_000;

/**
 * Connects to a mail server by the system's resolver, which knows `/etc/hosts`, mDNS and search domains. For `getSocket` of nodemailer,
 * whose own connections ask DNS servers first, and write to the console.
 *
 * @param signal ends a connection that is being made
 */
export function connectToMailServer(
  { host = 'localhost', port, secure = false, connectionTimeout = TIMEOUT_MS }: MailServer,
  connected: Connected,
  signal: AbortSignal,
): void {
  const socket = connect({
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? TLS_PORT : PORT),
    signal,
    timeout: connectionTimeout,
  });
  const settle = (): void => {
    socket.setTimeout(0);
    for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
  };
  const listeners = {
    connect: () => {
      settle();
      connected(null, { connection: socket });
    },
    timeout: () => {
      socket.destroy(Object.assign(new Error('Connection timeout'), { code: 'ETIMEDOUT' }));
    },
    error: (error: NodeJS.ErrnoException) => {
      settle();
      const { code: originalCode } = error;
      const details = { code: 'ESOCKET', originalCode, command: 'CONN' };
      connected(Object.assign(new Error(error.message, { cause: error }), details));
    },
  };
  for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
}
