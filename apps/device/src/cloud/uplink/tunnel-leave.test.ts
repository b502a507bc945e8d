import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { type AddressInfo, connect as connectSocket, createServer, Socket } from 'node:net';
import { UNREAD_HEADER } from '@heliograph/tunnel';
import { revocationSignal, TUNNEL_MOVE_SIGNAL, TUNNEL_UP_SIGNAL } from '@heliograph/wire';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answerOf, ProxyTunnel } from '../../../test/cloud/uplink/proxy-tunnel.ts';
import { SITE_ID } from '../../../test/cloud/uplink/test-cloud.ts';
import { startTestUplink, type TestUplink } from '../../../test/cloud/uplink/test-uplink.ts';
import { type Tunnel, type TunnelEnd, TunnelServing } from './tunnel.ts';

let system: TestUplink;
let tunnel: Tunnel;
let proxy: ProxyTunnel;
let write: (value: string) => ClientRequest;

beforeEach(async () => {
  system = await startTestUplink();
  system.device.access.site.set(SITE_ID);
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const socket = connectSocket((listener.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await once(listener, 'connection')) as [Socket];
  listener.close();
  tunnel = new TunnelServing(system.device.api.tunnel).serve(accepted);
  proxy = new ProxyTunnel(socket);
  proxy.signal(TUNNEL_UP_SIGNAL);
  expect(await tunnel.up).toBe(true);

  const headers = {
    authorization: `Bearer ${await system.cloud.siteToken()}`,
    'site-id': String(SITE_ID),
    'site-key': system.cloud.siteKey,
    'content-type': 'application/json',
  };
  write = (value) => {
    const request = proxy.begin('/api/v1/metrics', headers, 'POST');
    return request.end(JSON.stringify({ topic: 'inverter_1/max_charge_current', value }));
  };
});
afterEach(async () => {
  tunnel.destroy();
  proxy.destroy();
  await system.stop();
});

it('a write from before the departure is carried out once, and one from after it refused', async () => {
  const held = Promise.withResolvers<void>();
  const set = vi.spyOn(system.device.settings, 'set').mockImplementation(() => held.promise);
  const before = write('1');
  await expect.poll(() => set).toHaveBeenCalled();
  tunnel.leave();
  // In the same instant, so that it is sent before the proxy can know.
  const after = write('2');
  expect((await answerOf(after)).headers).toHaveProperty(UNREAD_HEADER);
  held.resolve();
  expect((await answerOf(before)).status).toBe(200);
  await tunnel.closed;
  expect(set.mock.calls.map(([topic, value]) => [topic, value])).toEqual([
    ['inverter_1/max_charge_current', '1'],
  ]);
});

it('a write after a departure with nothing under way is refused', async () => {
  const set = vi.spyOn(system.device.settings, 'set');
  tunnel.leave();
  expect((await answerOf(write('2'))).headers).toHaveProperty(UNREAD_HEADER);
  await tunnel.closed;
  expect(set).not.toHaveBeenCalled();
});

it.each<[string, () => void, TunnelEnd]>([
  [
    'the device leaves',
    () => {
      tunnel.leave();
      tunnel.leave();
    },
    { reason: 'the connection was closed', isByProxy: false },
  ],
  ['the proxy ends', () => proxy.leave(), { reason: 'the proxy ends this tunnel', isByProxy: true }],
])(
  'a tunnel that %s is cut after a minute, though a request is still under way',
  async (_who, leave, end) => {
    const set = vi
      .spyOn(system.device.settings, 'set')
      .mockImplementation(() => new Promise(() => undefined));
    write('1');
    await expect.poll(() => set).toHaveBeenCalled();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      leave();
      if (end.isByProxy) await tunnel.ended;
      vi.advanceTimersByTime(59_999);
      expect(proxy.isClosed).toBe(false);
      vi.advanceTimersByTime(1);
      await tunnel.closed;
    } finally {
      vi.useRealTimers();
    }
    expect(await tunnel.ended).toEqual(end);
  },
);

it('a connection that is lost already is a tunnel that ended', async () => {
  const lost = new Socket();
  lost.destroy();
  const ended = new TunnelServing(system.device.api.tunnel).serve(lost);
  expect(await ended.up).toBe(false);
  await ended.closed;
});

it('each listener gets requests to move, and the last signal about revocations', async () => {
  const ping = revocationSignal([{ subject: 'token:7', revokedAt: 1 }]);
  let moves = 0;
  const pings: Buffer[] = [];
  tunnel.onMoveRequested(() => moves++);
  tunnel.onRevocationSignal((payload) => pings.push(payload));
  const sent = async (payload: Buffer) => {
    proxy.signal(payload);
    // A request on the same connection comes later.
    await proxy.send('/healthz');
  };
  await sent(Buffer.from('anything'));
  expect([tunnel.isMoveRequested, moves, pings]).toEqual([false, 0, []]);
  await sent(ping);
  expect([tunnel.isMoveRequested, moves, pings]).toEqual([false, 0, [ping]]);
  tunnel.onRevocationSignal((payload) => pings.push(payload));
  expect(pings).toEqual([ping, ping]);
  await sent(TUNNEL_MOVE_SIGNAL);
  await sent(TUNNEL_MOVE_SIGNAL);
  expect([tunnel.isMoveRequested, moves, pings.length]).toEqual([true, 2, 2]);
});
