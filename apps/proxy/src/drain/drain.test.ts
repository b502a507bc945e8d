import { once } from 'node:events';
import { TUNNEL_MOVE_SIGNAL } from '@heliograph/wire';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { DeviceStream } from '../../test/device-stream.ts';
import { type SiteCredentials, siteHeaders } from '../../test/test-cloud.ts';
import { dial } from '../../test/test-device.ts';
import { TestFleet } from '../../test/test-fleet.ts';
import { answering } from '../../test/test-system.ts';

let fleet: TestFleet;
afterEach(() => fleet[Symbol.asyncDispose]());

describe('a proxy that stops while there is another', () => {
  test('no request is lost while devices move to another proxy', async () => {
    fleet = await TestFleet.start(['a', 'b']);
    const sites = [1, 2, 3, 4, 5];
    const served: string[] = [];
    const devices = await Promise.all(
      sites.map((site) =>
        fleet.connectDevice(site, 'a', (stream, headers) => {
          served.push(String(headers['x-request']));
          stream.respond({ ':status': 200 });
          setTimeout(() => stream.end(`site ${site}`), 5);
        }),
      ),
    );
    const sent: string[] = [];
    const failed: unknown[] = [];
    let removed = false;
    let loading = true;
    const send = async (site: number, credentials: SiteCredentials, id: string): Promise<void> => {
      const init = { method: 'POST', body: id, headers: { 'x-request': id } };
      try {
        const answer = await fleet.fetch(removed ? 'b' : 'a', credentials, undefined, init);
        if ((await answer.text()) !== `site ${site}`) failed.push(answer.status);
      } catch (error) {
        // A proxy that has stopped listening took nothing; its clients ask the cloud and come to the other one.
        removed = true;
        if (served.includes(id)) failed.push(error);
        else await send(site, credentials, id);
      }
    };
    const loads = sites.map(async (site) => {
      const credentials = await fleet.cloud.authorize(site);
      while (loading) {
        const id = `${site}-${sent.length}`;
        sent.push(id);
        await send(site, credentials, id);
      }
    });
    await expect.poll(() => served.length).toBeGreaterThan(50);
    const stopping = fleet.stopProxy('a');
    await stopping;
    expect(devices.map(({ proxy }) => proxy)).toEqual(sites.map(() => 'b'));
    const soFar = served.length;
    await expect.poll(() => served.length).toBeGreaterThan(soFar + 50);
    loading = false;
    await Promise.all(loads);
    expect(failed).toEqual([]);
    expect(served.toSorted()).toEqual(sent.toSorted());
  });

  test('a site is served until its device has moved, and open requests finish', async () => {
    fleet = await TestFleet.start(['a', 'b']);
    const pending: DeviceStream[] = [];
    const device = await fleet.connectDevice(1, 'a', (stream) => pending.push(stream));
    const credentials = await fleet.cloud.authorize(1);
    const answer = fleet.fetch('a', credentials);
    await expect.poll(() => pending).toHaveLength(1);
    const stopping = fleet.stopProxy('a');
    await expect.poll(() => device.proxy).toBe('b');
    pending[0]?.respond({ ':status': 200 });
    pending[0]?.end('from before');
    expect(await (await answer).text()).toBe('from before');
    await stopping;
  });

  test('WebSockets of a moved device end with 1012 between two frames', async () => {
    fleet = await TestFleet.start(['a', 'b']);
    await fleet.connectDevice(1, 'a', (stream) => {
      stream.respond({ ':status': 200 });
      stream.write(Buffer.from([0x81, 2, 0x68, 0x69]));
    });
    const headers = siteHeaders(await fleet.cloud.authorize(1));
    const open = (): WebSocket => new WebSocket(`ws://${fleet.facts('a').host}/api/websocket`, { headers });
    const socket = open();
    const closed = once(socket, 'close');
    await once(socket, 'message');
    const stopping = fleet.stopProxy('a');
    expect((await closed)[0]).toBe(1012);
    await stopping;
  });

  test('a stopping proxy refuses devices and is not ready at once', async () => {
    fleet = await TestFleet.start(['a', 'b']);
    const stays = await fleet.connectDevice(1, 'a', answering('here'));
    stays.ignoresMoves = true;
    const token = await fleet.cloud.tunnelToken(2, { proxy: 'a' });
    void fleet.stopProxy('a');
    await expect.poll(async () => (await fetch(`${fleet.facts('a').url}/readyz`)).status).toBe(503);
    expect(await dial(fleet.facts('a').url, token)).toMatchObject({ status: 503 });
    await expect.poll(() => fleet.cloud.proxies.isDraining('a')).toBe(true);
    const answer = await fleet.fetch('a', await fleet.cloud.authorize(1));
    expect(await answer.text()).toBe('here');
    expect(answer.headers.get('connection')).toBe('close');
    // With no other proxy left there is nothing to wait for.
    await fleet.stopProxy('b');
    await expect.poll(() => stays.tunnel?.closed, { timeout: 5_000 }).toBe(true);
  });
});

test('a proxy that stops while there is no other requests one move from its devices and does not wait for it', async () => {
  fleet = await TestFleet.start(['a']);
  const device = await fleet.connectDevice(1, 'a', answering('here'));
  const pings = vi.fn();
  device.tunnel?.onSignal(pings);
  await fleet.stopProxy('a');
  // Once, when the proxy stops: it does not wait for devices that have nowhere to go.
  expect(pings.mock.calls).toEqual([[TUNNEL_MOVE_SIGNAL]]);
});

describe('a proxy that the operator wants emptied', () => {
  test('a drained proxy moves its devices, relays their sites, and accepts devices again afterwards', async () => {
    fleet = await TestFleet.start(['a', 'b'], { announceIntervalMs: 100 });
    const device = await fleet.connectDevice(1, 'a', answering('served'));
    fleet.cloud.proxies.drainWanted.add('a');
    await expect.poll(() => device.proxy).toBe('b');
    await expect.poll(() => fleet.cloud.proxies.sitesOn('a')).toEqual([]);
    const credentials = await fleet.cloud.authorize(1);
    expect(await (await fleet.fetch('a', credentials)).text()).toBe('served');
    const token = await fleet.cloud.tunnelToken(2, { proxy: 'a' });
    expect(await dial(fleet.facts('a').url, token)).toMatchObject({ status: 503 });
    fleet.cloud.proxies.drainWanted.delete('a');
    await expect.poll(() => fleet.cloud.proxies.isDraining('a')).toBe(false);
    await device.dial({ name: 'a', url: fleet.facts('a').url });
    await expect.poll(() => fleet.cloud.proxies.sitesOn('a')).toEqual([1]);
    expect(await (await fleet.fetch('a', credentials)).text()).toBe('served');
  });
});
