import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Lets one process at a time update a folder. The lock is a socket in Linux's abstract name space: it ends with the process that
 * holds it, however that ends.
 *
 * @throws where another process holds it
 */
export async function lockUpdates(folder: string): Promise<AsyncDisposable> {
  const server = createServer((socket) => socket.destroy());
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  try {
    server.listen(`\0heliograph-update-${name}`);
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new Error('another update is under way');
    }
    throw error;
  }
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}
