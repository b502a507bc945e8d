import { createLogger } from '@heliograph/kit';
import { afterEach, describe, expect, test } from 'vitest';
import { dial, dialled } from '../../test/test-device.ts';
import { answering, startTestSystem, type TestSystem } from '../../test/test-system.ts';

let system: TestSystem;
let lines: Record<string, unknown>[];
const start = async (): Promise<void> => {
  lines = [];
  const write = (line: string): unknown => lines.push(JSON.parse(line));
  system = await startTestSystem({
    logger: createLogger('test', 'info', { write }),
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
      const device = await dialled(proxy.url, token);
      await expect.poll(() => system.sites()).toContain(3);
      device.destroy();
      await expect.poll(() => system.sites()).not.toContain(3);
    }
    const raw = await dialled(proxy.url, token);
    await expect.poll(() => system.sites()).toContain(3);
    raw.write(Buffer.alloc(8, 0xff));
    await expect
      .poll(() => reasons('tunnel ended'))
      .toEqual([
        'the device closed the connection',
        "the other end broke the tunnel's protocol: a frame of the unknown type 255",
      ]);
  });

  test('a tunnel that closes is a failure, and none after the device took its leave', async () => {
    await start();
    const stays = await system.connectDevice(1, answering(''));
    const leaves = await system.connectDevice(2, answering(''));
    leaves.leave();
    await expect.poll(() => leaves.closed).toBe(true);
    stays.kill();
    await expect.poll(() => system.sites()).toEqual([]);
    expect(lines.filter(({ msg }) => msg === 'tunnel ended')).toEqual([
      expect.objectContaining({ uid: 'uid-of-1', site: 1, reason: 'the device closed the connection' }),
    ]);
  });

  test('replaced and broken tunnels are logged by kind', async () => {
    await start();
    await system.connectDevice(2, answering(''));
    const second = await system.connectDevice(2, answering(''));
    await expect.poll(() => reasons('tunnel ended')).toEqual(['replaced by a newer connection']);
    second.kill();
    await expect.poll(() => reasons('tunnel ended')).toHaveLength(2);
    expect(lines.find(({ msg }) => msg === 'tunnel ended')).toMatchObject({ uid: 'uid-of-2', site: 2 });
  });
});
