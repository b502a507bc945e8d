import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { DeviceStream } from '../../test/device-stream.ts';
import { useOneSite } from '../../test/one-site.ts';
import { siteHeaders } from '../../test/test-cloud.ts';
import { answering } from '../../test/test-system.ts';

const BUSY = { error: 'Site is busy' };

const site = useOneSite({ limits: { requestsPerSite: 1, webSocketsPerSite: 1 } });

const open = (): WebSocket => {
  const url = `${site.system.proxy.url.replace('http', 'ws')}/api/websocket`;
  const socket = new WebSocket(url, { headers: siteHeaders(site.credentials) });
  socket.on('error', () => undefined);
  return socket;
};

test('a site with enough requests under way is busy until one of them ends, and other sites are not', async () => {
  await site.system.connectDevice(2, answering('other'));
  const pending: DeviceStream[] = [];
  site.handle = (stream) => pending.push(stream);
  const first = site.send();
  await expect.poll(() => pending).toHaveLength(1);
  const busy = await site.send();
  expect(busy.status).toBe(503);
  expect(busy.headers.get('retry-after')).toBe('1');
  expect(await busy.json()).toEqual(BUSY);
  const other = await site.system.fetch('/api/v1/metrics', await site.system.cloud.authorize(2));
  expect(await other.text()).toBe('other');
  pending[0]?.respond({ ':status': 204 }, { endStream: true });
  expect((await first).status).toBe(204);
  site.handle = answering('free again');
  await expect.poll(async () => (await site.send()).text()).toBe('free again');
});

test('a site with enough WebSockets is busy until one of them ends, and its requests are not', async () => {
  site.handle = answering('a request');
  const first = open();
  await once(first, 'open');
  const [, refused] = await once(open(), 'unexpected-response');
  expect(refused.statusCode).toBe(503);
  refused.destroy();
  expect(await (await site.send()).text()).toBe('a request');
  first.terminate();
  const reopened = async (): Promise<boolean> => {
    const socket = open();
    const opened = await Promise.race([
      once(socket, 'open').then(() => true),
      once(socket, 'unexpected-response').then(() => false),
    ]);
    socket.terminate();
    return opened;
  };
  await expect.poll(reopened).toBe(true);
});
