import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SITE_ID } from './testing/test-cloud.ts';
import { startTestUplink, type TestUplink } from './testing/test-uplink.ts';
import type { Tunnel } from './tunnel.ts';
import { TunnelServer } from './tunnel-server.ts';

let system: TestUplink;
let tunnel: Tunnel;
let proxy: ClientHttp2Session;
let write: (value: string) => ClientHttp2Stream;

beforeEach(async () => {
  system = await startTestUplink();
  system.device.access.site.set(SITE_ID);
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const socket = connectSocket((listener.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await once(listener, 'connection')) as [Socket];
  listener.close();
  tunnel = new TunnelServer(system.device.api.tunnel).serve(accepted);
  proxy = connect('http://device', { createConnection: () => socket });
  expect(await tunnel.up).toBe(true);

  const headers = {
    authorization: `Bearer ${await system.cloud.siteToken()}`,
    'site-id': String(SITE_ID),
    'site-key': system.cloud.siteKey,
    'content-type': 'application/json',
  };
  write = (value) => {
    const stream = proxy.request({ ...headers, ':method': 'POST', ':path': '/api/v1/metrics' });
    return stream.end(JSON.stringify({ topic: 'inverter_1/max_charge_current', value }));
  };
});
afterEach(async () => {
  tunnel.destroy();
  proxy.destroy();
  await system.stop();
});

const refusalOf = async (stream: ClientHttp2Stream): Promise<unknown> => {
  const [error] = await once(stream, 'error');
  expect(error).toMatchObject({ code: 'ERR_HTTP2_STREAM_ERROR' });
  return stream.rstCode;
};

it('a write from before the departure is carried out once, and one from after it refused', async () => {
  const held = Promise.withResolvers<void>();
  const set = vi.spyOn(system.device.settings, 'set').mockImplementation(() => held.promise);
  const before = write('1');
  await expect.poll(() => set).toHaveBeenCalled();
  tunnel.leave();
  // In the same instant, so that it is sent before the proxy can know.
  const after = write('2');
  expect(await refusalOf(after)).toBe(constants.NGHTTP2_REFUSED_STREAM);
  held.resolve();
  const [answer] = await once(before, 'response');
  expect(answer[':status']).toBe(200);
  await once(before.resume(), 'close');
  await tunnel.closed;
  expect(set.mock.calls.map(([topic, value]) => [topic, value])).toEqual([
    ['inverter_1/max_charge_current', '1'],
  ]);
});

it('a write after a departure with nothing under way is refused', async () => {
  const set = vi.spyOn(system.device.settings, 'set');
  tunnel.leave();
  expect(await refusalOf(write('2'))).toBe(constants.NGHTTP2_REFUSED_STREAM);
  await tunnel.closed;
  expect(set).not.toHaveBeenCalled();
});
