import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { HTTP2_RELAY_PROTOCOL, RELAY_PATH, signRelayToken } from '@heliograph/wire';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { statusOf } from '../../test/status-of.ts';
import { siteHeaderLines } from '../../test/test-cloud.ts';
import { TestFleet } from '../../test/test-fleet.ts';
import { answering } from '../../test/test-system.ts';
import { switchProtocols } from '../http/switch-protocols.ts';
import type { Link } from '../links/link.ts';
import { dialPeer } from '../relay/peers.ts';
import { connectHttp2 } from './connect-http2.ts';
import { serveHttp2Relay } from './http2-relay.ts';

const NO_LISTENER = { left: () => undefined, closed: () => undefined };

let fleet: TestFleet;
let token: string;
const cleanUp: (() => void)[] = [];
beforeEach(async () => {
  fleet = await TestFleet.start(['a']);
  token = await signRelayToken(fleet.cloud.key, { from: 'old', to: 'a' }, Date.now());
});
afterEach(async () => {
  for (const undo of cleanUp.splice(0)) undo();
  await fleet[Symbol.asyncDispose]();
});

/** The tunnel that a proxy of release 0.1 opens. */
async function dialledByOldProxy(): Promise<Link> {
  const headers = {
    connection: 'Upgrade',
    upgrade: HTTP2_RELAY_PROTOCOL,
    authorization: `Bearer ${token}`,
  };
  const req = request(fleet.facts('a').url + RELAY_PATH, { agent: false, headers }).end();
  const [, socket, head] = (await once(req, 'upgrade')) as [IncomingMessage, Socket, Buffer];
  if (head.length > 0) socket.unshift(head);
  const link = (await connectHttp2(socket))(NO_LISTENER);
  cleanUp.push(() => link.end('the test is over'));
  return link;
}

/** Names in lower case and values by turns. */
const credentialsOf = async (siteId: number): Promise<string[]> =>
  siteHeaderLines(await fleet.cloud.authorize(siteId)).flatMap((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });

test('a proxy of release 0.1 relays requests for sites that are here, and looks again for others', async () => {
  await fleet.connectDevice(1, 'a', answering('here'));
  const link = await dialledByOldProxy();
  expect(await statusOf(link, await credentialsOf(1))).toBe(200);
  expect(await statusOf(link, await credentialsOf(2))).toBe('unread');
});

test('a proxy of release 0.1 without a site token reads nothing', async () => {
  await fleet.connectDevice(1, 'a', answering('here'));
  expect(await statusOf(await dialledByOldProxy(), ['site-id', '1'])).toBe(401);
});

test('a proxy of release 0.1, which refuses the new protocol, is dialled with HTTP/2', async () => {
  const upgrades: (string | undefined)[] = [];
  const old = createServer().on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) => {
    upgrades.push(req.headers.upgrade);
    cleanUp.push(() => socket.destroy());
    // As release 0.1 answers an upgrade that it does not know: for want of a site token.
    if (req.headers.upgrade !== HTTP2_RELAY_PROTOCOL)
      socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    else {
      switchProtocols(socket, HTTP2_RELAY_PROTOCOL, head, () => {
        serveHttp2Relay(socket, 'new', {
          request: (_req, res) => {
            res.writeHead(204, []);
            res.end();
          },
          webSocket: async () => undefined,
        });
      });
    }
  });
  await once(old.listen(0, '127.0.0.1'), 'listening');
  cleanUp.push(() => old.close());
  const { port } = old.address() as AddressInfo;
  const link = (await dialPeer(`http://127.0.0.1:${port}`, token))(NO_LISTENER);
  cleanUp.push(() => link.end('the test is over'));
  expect(await statusOf(link)).toBe(204);
  expect(upgrades).toEqual(['heliograph-relay/2', HTTP2_RELAY_PROTOCOL]);
});
