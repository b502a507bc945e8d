import { type Channel, Socket } from 'phoenix';
import { connect, type Metric } from 'solar-assistant';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { PASSWORD, startTestDevice, type TestDevice } from '../../../test/serve/api/test-device.ts';

let device: TestDevice;
beforeAll(async () => {
  device = await startTestDevice();
});
afterAll(() => device.stop());

describe('the npm client solar-assistant', () => {
  it('the client reads metrics at the device with the password', async () => {
    const socket = await connect({ host: '', localIp: `127.0.0.1:${device.api.port}`, password: PASSWORD });
    const metrics: Metric[] = [];
    socket.subscribeMetrics((metric) => metrics.push(metric), [{ topic: 'total/pv_power' }]);
    const listening = socket.listen();
    await expect.poll(() => metrics).toHaveLength(1);
    expect(metrics[0]).toMatchObject({
      topic: 'total/pv_power',
      device: 'totals',
      name: 'PV power',
      unit: 'W',
    });
    device.plant.publish({ 'total/pv_power': 99 });
    await expect.poll(() => metrics.at(-1)?.value).toBe(99);
    socket.close();
    await listening;
  });

  it('the client gets an error for a wrong password', async () => {
    const dial = connect({ host: '', localIp: `127.0.0.1:${device.api.port}`, password: 'wrong' });
    await expect(dial).rejects.toThrow();
  });
});

describe('the npm client phoenix', () => {
  it('the client joins, streams, writes, changes its topics, joins again and leaves', async () => {
    const socket = new Socket(`ws://127.0.0.1:${device.api.port}/api`, {
      params: { password: PASSWORD },
      transport: WebSocket,
    });
    socket.connect();
    const values = new Map<string, unknown>();
    const results: unknown[] = [];
    const listenTo = (channel: Channel): Channel => {
      channel.on('data', ({ metrics }: { metrics: { topic: string; value: unknown }[] }) => {
        for (const { topic, value } of metrics) values.set(topic, value);
      });
      channel.on('set_result', (result) => void results.push(result));
      return channel;
    };
    const answerTo = (push: ReturnType<Channel['join']>): Promise<string> =>
      new Promise((resolve) => {
        push.receive('ok', () => resolve('ok')).receive('error', () => resolve('error'));
      });

    const first = listenTo(socket.channel('metrics', { topics: [{ topic: 'total/*' }] }));
    expect(await answerTo(first.join())).toBe('ok');
    await expect.poll(() => values.get('total/load_power')).toBe(800);

    expect(await answerTo(first.push('topics', { topics: [{ topic: '*' }] }))).toBe('ok');
    await expect.poll(() => values.get('inverter_1/max_charge_current')).toBe(25);

    first.push('set', { topic: 'inverter_1/max_charge_current', value: '31' });
    await expect.poll(() => results).toEqual([{ topic: 'inverter_1/max_charge_current', result: 'ok' }]);
    await expect.poll(() => values.get('inverter_1/max_charge_current')).toBe(31);

    values.clear();
    const second = listenTo(socket.channel('metrics', {}));
    expect(await answerTo(second.join())).toBe('ok');
    await expect.poll(() => values.get('total/load_power')).toBe(800);
    expect(await answerTo(second.leave())).toBe('ok');
    expect(socket.isConnected()).toBe(true);
    socket.disconnect();
  });
});
