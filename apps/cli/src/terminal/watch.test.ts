import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { FakeDevice, sampleMetrics } from '@heliograph/client/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startCommand } from '../../test/run-command.ts';

describe('heliograph metrics --watch', () => {
  let device: FakeDevice;
  let child: ChildProcessWithoutNullStreams;
  let closed: Promise<unknown[]>;
  let out: string;
  let err: string;

  beforeEach(async () => {
    device = await new FakeDevice(sampleMetrics()).start();
  });
  afterEach(async () => {
    child.kill('SIGKILL');
    await closed;
    await device.stop();
  });

  const watch = (...args: string[]): void => {
    out = '';
    err = '';
    const env = { HELIOGRAPH_PASSWORD: device.credentials.password };
    child = startCommand(['metrics', '--device', device.address, '--watch', ...args], env);
    closed = once(child, 'close');
    child.stdout.on('data', (chunk) => {
      out += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      err += String(chunk);
    });
  };
  const lines = (): string[] => out.split('\n').slice(0, -1);
  const shown = (count: number) => expect.poll(() => lines(), { timeout: 10_000 }).toHaveLength(count);

  it('each value is printed, then each change, until Ctrl-C', async () => {
    watch('-t', 'total/*');
    await shown(2);
    device.change('total/pv_power', 1240);
    device.change('battery_1/voltage', 50);
    device.change('total/grid_power', 77);
    await shown(3);
    expect(lines().map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''))).toEqual([
      'total/pv_power 1240 W',
      'total/grid_power -300 W',
      'total/grid_power 77 W',
    ]);
    expect(lines()[0]).toMatch(/^\d\d:\d\d:\d\d /);

    child.kill('SIGINT');
    const [code] = await closed;
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  it('--json prints one object per line', async () => {
    watch('-t', '*voltage', '--json');
    await shown(1);
    const row: unknown = JSON.parse(out);
    expect(row).toEqual({ time: expect.any(String), topic: 'battery_1/voltage', value: 51.2, unit: 'V' });
  });

  it('the stream goes on after the connection was lost', async () => {
    watch('-t', 'total/pv_power', '--value');
    await shown(1);
    device.dropConnections();
    device.change('total/pv_power', 9);
    await shown(2);
    expect(out).toBe('1240\n9\n');
    expect(err).toBe('the connection was lost; connecting again\n');
  });

  it('the command ends quietly when its output is closed', async () => {
    watch('-t', 'total/*');
    await shown(2);
    child.stdout.destroy();
    device.change('total/pv_power', 1);
    const [code] = await closed;
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });
});
