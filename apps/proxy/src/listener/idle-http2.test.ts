import { once } from 'node:events';
import { connect } from 'node:tls';
import { inPieces } from '@heliograph/dev/in-pieces';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeviceStream } from '../../test/device-stream.ts';
import { Http2Client } from '../../test/http2-client.ts';
import { siteHeaders } from '../../test/test-cloud.ts';
import { TestDevice } from '../../test/test-device.ts';
import { startTestSystem, type TestSystem } from '../../test/test-system.ts';

const { certPath, keyPath, cert: ca } = TEST_TLS;

describe('an idle HTTP/2 connection', () => {
  let quick: TestSystem;
  beforeAll(async () => {
    quick = await startTestSystem(
      { limits: { headMs: 1_000, keepAliveMs: 200 } },
      { tls: { certPath, keyPath } },
    );
  });
  afterAll(() => quick.stop());

  test('an idle connection is closed before its first request and after its last', async () => {
    const silent = await Http2Client.connect(quick.proxy.url);
    const waiting = await Http2Client.connect(quick.proxy.url);
    const closed = [once(silent.session, 'close'), once(waiting.session, 'close')];
    expect((await waiting.send('/healthz')).status).toBe(200);
    await Promise.all(closed);
  });

  test('an idle connection is closed after a late answer', async () => {
    const requested = Promise.withResolvers<DeviceStream>();
    const token = await quick.cloud.tunnelToken(1);
    const device = await TestDevice.connect(quick.proxy.url, token, requested.resolve, { ca });
    await expect.poll(() => quick.sites()).toContain(1);
    const waiting = await Http2Client.connect(quick.proxy.url);
    const answer = waiting.send('/api/v1/metrics', siteHeaders(await quick.cloud.authorize(1)));
    const stream = await requested.promise;
    // A silent connection is closed after as long, so that time has passed.
    const silent = await Http2Client.connect(quick.proxy.url);
    await once(silent.session, 'close');
    expect(waiting.session.closed).toBe(false);
    stream.respond({ ':status': 204 }, { endStream: true });
    expect((await answer).status).toBe(204);
    await once(waiting.session, 'close');
    device.kill();
  });

  test('a connection is cut if the client does not close it', async () => {
    const { hostname, port } = new URL(quick.proxy.url);
    const options = { ca, ALPNProtocols: ['h2'], allowHalfOpen: true };
    const socket = inPieces(connect({ host: hostname, port: Number(port), ...options }));
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    socket.write(Buffer.from('000000040000000000', 'hex'));
    socket.resume();
    await once(socket, 'end');
    const open = async (): Promise<string> => {
      const pending = await Http2Client.connect(quick.proxy.url);
      const { body } = await pending.send('/metrics').finally(() => pending.close());
      return String(body);
    };
    await expect.poll(open).toContain('heliograph_proxy_connections{kind="client"} 1\n');
    expect(socket.closed).toBe(false);
    socket.destroy();
  });
});
