import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { FORWARDED_CASES } from '@heliograph/dev/testing/forwarded-headers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { markTunnelled, originOf } from './origin.ts';

/** The device trusts the proxy at the other end of its tunnel, and none before that. */
const CASES = FORWARDED_CASES.filter(({ headers }) => !JSON.stringify(headers).includes('10.'));

describe('originOf', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((received, response) => {
      if (received.url === '/tunnelled') markTunnelled(received);
      response.end(originOf(received).address);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    server.close();
  });

  const resolved = async (path: string, headers: object) => {
    const { port } = server.address() as AddressInfo;
    const call = request({ port, path, headers: { ...headers } }).end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    return text(answer);
  };

  it.each([
    ['through the tunnel names the client', '/tunnelled', 'proxy'],
    ['of the home is its peer', '/', '127.0.0.1'],
  ])('the address of a request %s', async (_how, path, otherwise) => {
    for (const { headers, address } of CASES) {
      const expected = path === '/' ? otherwise : (address ?? otherwise);
      expect({ headers, address: await resolved(path, headers) }).toEqual({ headers, address: expected });
    }
  });
});
