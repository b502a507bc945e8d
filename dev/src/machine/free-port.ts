import { once } from 'node:events';
import { createServer } from 'node:net';
import { messageOf } from '@heliograph/kit';

/** A TCP port that nothing on this machine listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no TCP port');
  return address.port;
}

/** Why a loopback port cannot be listened on, or undefined. */
export async function unavailableReason(port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') return 'is taken by another program';
    return code === 'EACCES'
      ? 'is for the system administrator alone'
      : `cannot be used (${messageOf(error)})`;
  } finally {
    server.close();
  }
  return undefined;
}

/** Whether nothing listens on a loopback port right now. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await unavailableReason(port)) === undefined;
}
