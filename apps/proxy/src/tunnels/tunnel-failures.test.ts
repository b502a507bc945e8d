import { createLogger } from '@heliograph/kit';
import { afterEach, describe, expect, test } from 'vitest';
import { connectRawDevice, DATA, frame } from '../testing/raw-device.ts';
import { dial } from '../testing/test-device.ts';
import { answering, startTestSystem, type TestSystem } from '../testing/test-system.ts';

let system: TestSystem;
let lines: Record<string, unknown>[];
const start = async (): Promise<void> => {
  lines = [];
  const write = (line: string): unknown => lines.push(JSON.parse(line));
  system = await startTestSystem({
    logger: createLogger('test', 'info', { write }),
    handshakeTimeoutMs: 100,
  });
};
afterEach(() => system.stop());

const reasons = (message: string): unknown[] =>
  lines.filter(({ msg }) => msg === message).map(({ reason }) => reason);

describe('failures of tunnels in the log', () => {
  test('a failed tunnel is logged with its reason and without its token', async () => {
    await start();
    const { cloud, proxy } = system;
    const madeMs = Date.parse('2026-01-01T00:00:00.000Z');
    const tokens = [
      await cloud.tunnelToken(1, { proxy: 'elsewhere' }),
      await cloud.tunnelToken(1, { nowMs: madeMs }),
      'nonsense',
    ];
    for (const token of tokens) await dial(proxy.url, token);
    expect(reasons('tunnel refused')).toEqual([
      'tunnel token is for proxy elsewhere',
      'tunnel token of uid-of-1 expired at 2026-01-04T00:00:00.000Z',
      'not a valid tunnel token',
    ]);
    for (const token of tokens) expect(JSON.stringify(lines)).not.toContain(token);
  });

  test('a repeated failure is logged once', async () => {
    await start();
    for (let i = 0; i < 5; i++) await dial(system.proxy.url, undefined);
    expect(reasons('tunnel refused')).toEqual(['no tunnel token']);
  });

  test('another reason is logged again', async () => {
    await start();
    const { cloud, proxy } = system;
    const token = await cloud.tunnelToken(3);
    for (let i = 0; i < 2; i++) {
      const device = await connectRawDevice(proxy.url, token, () => undefined);
      await expect.poll(() => system.sites()).toContain(3);
      device.destroy();
      await expect.poll(() => system.sites()).not.toContain(3);
    }
    const raw = await connectRawDevice(proxy.url, token, () => undefined);
    await expect.poll(() => system.sites()).toContain(3);
    raw.write(frame(DATA, 0, 0, 'of no stream'));
    await expect
      .poll(() => reasons('tunnel ended'))
      .toEqual(['the device closed the connection', expect.stringMatching(/protocol error/i)]);
  });

  test('failed handshakes, replaced and broken tunnels are logged by kind', async () => {
    await start();
    const { cloud, proxy } = system;
    const silent = await dial(proxy.url, await cloud.tunnelToken(1));
    if ('status' in silent) throw new Error('the tunnel was refused');
    await expect
      .poll(() => reasons('tunnel failed'))
      .toEqual([expect.stringContaining('no HTTP/2 settings')]);
    await system.connectDevice(2, answering(''));
    const second = await system.connectDevice(2, answering(''));
    await expect.poll(() => reasons('tunnel ended')).toEqual(['replaced by a newer connection']);
    second.kill();
    await expect.poll(() => reasons('tunnel ended')).toHaveLength(2);
    expect(lines.find(({ msg }) => msg === 'tunnel ended')).toMatchObject({ uid: 'uid-of-2', site: 2 });
  });
});
