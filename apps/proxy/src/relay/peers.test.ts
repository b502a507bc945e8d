import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { createLogger, ManualClock, silentLogger } from '@heliograph/kit';
import { signRelayToken } from '@heliograph/wire';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { statusOf } from '../../test/status-of.ts';
import { TestFleet } from '../../test/test-fleet.ts';
import { Heartbeats } from '../tunnels/heartbeats.ts';
import { Peers } from './peers.ts';

let fleet: TestFleet;
let token: string;
const heartbeats = new Heartbeats();
const clock = new ManualClock(Date.now());
beforeEach(async () => {
  fleet = await TestFleet.start(['b']);
  token = await signRelayToken(fleet.cloud.key, { from: 'a', to: 'b' }, Date.now());
});
afterEach(async () => {
  heartbeats.stop();
  await fleet[Symbol.asyncDispose]();
});

describe('Peers', () => {
  test('concurrent requests share one tunnel, which closes when idle', async () => {
    const peers = new Peers({ heartbeats, logger: silentLogger, clock, idleMs: 50 });
    const address = { name: 'b', url: fleet.facts('b').url };
    const tunnels = await Promise.all(Array.from({ length: 20 }, () => peers.connect(address, token)));
    expect(new Set(tunnels).size).toBe(1);
    const tunnel = tunnels[0];
    await expect.poll(() => tunnel?.isClosing).toBe(true);
    const next = await peers.connect(address, token);
    expect(next).not.toBe(tunnel);
    await peers.stop(0);
    expect(next.isClosing).toBe(true);
  });

  test('the tunnel is dialled again after the other proxy moved', async () => {
    const peers = new Peers({ heartbeats, logger: silentLogger, clock });
    const before = await peers.connect({ name: 'b', url: fleet.facts('b').url }, token);
    await fleet.stopProxy('b');
    await fleet.startProxy('b');
    const after = await peers.connect({ name: 'b', url: fleet.facts('b').url }, token);
    expect(after).not.toBe(before);
    await peers.stop(0);
  });

  test('an unreachable proxy is dialled once for many requests', async () => {
    const logger = createLogger('test', 'silent');
    const warn = vi.spyOn(logger, 'warn');
    const peers = new Peers({ heartbeats, logger, clock });
    const address = { name: 'b', url: 'http://127.0.0.1:1' };
    await expect(peers.connect(address, token)).rejects.toThrow('ECONNREFUSED');
    const others = Array.from({ length: 100 }, () => peers.connect(address, token));
    expect(new Set((await Promise.allSettled(others)).map(({ status }) => status))).toEqual(
      new Set(['rejected']),
    );
    expect(warn).toHaveBeenCalledTimes(1);
    await peers.stop(0);
  });

  test('the tunnel uses TLS if the other proxy does', async () => {
    const usual = getCACertificates('default');
    setDefaultCACertificates([...usual, TEST_TLS.cert.toString()]);
    try {
      const { certPath, keyPath } = TEST_TLS;
      const { url } = await fleet.startProxy('c', {}, { tls: { certPath, keyPath } });
      expect(url).toMatch(/^https:/);
      const relayToken = await signRelayToken(fleet.cloud.key, { from: 'a', to: 'c' }, Date.now());
      const peers = new Peers({ heartbeats, logger: silentLogger, clock });
      const tunnel = await peers.connect({ name: 'c', url }, relayToken);
      expect(await statusOf(tunnel)).toBe(401);
      await peers.stop(0);
    } finally {
      setDefaultCACertificates(usual);
    }
  });
});
