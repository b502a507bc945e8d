import { once } from 'node:events';
import { createServer } from 'node:http';
import { messageOf } from '@heliograph/kit';
import type { TestProject } from 'vitest/node';
import { bundleOnce } from './bundle-once.ts';

/** Vitest's global setup: bundles the programs that tests start in processes of their own, when the first test asks. */
export async function setup(project: TestProject): Promise<() => void> {
  let bundled: Promise<string> | undefined;
  const server = createServer(async (_request, response) => {
    try {
      bundled ??= bundleOnce();
      response.end(await bundled);
    } catch (error) {
      response.writeHead(500).end(messageOf(error));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The test run has no local address');
  project.provide('testPrograms', `http://127.0.0.1:${address.port}/`);
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
