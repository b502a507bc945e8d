import type { DeviceClient } from '@heliograph/client';
import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { historyQuery } from './history-query.ts';

const SPAN = { from: 1_782_000_000, to: 1_782_086_400, stepS: 300 };

/** A device whose history has one value. */
function deviceWith(value: number): DeviceClient {
  const series = [{ topic: 'total/pv_power', unit: 'W', times: [SPAN.from], mean: [value] }];
  // The query asks for nothing else of a device.
  return { history: async () => ({ series }) } as unknown as DeviceClient;
}

it('the history of one device is not shown for another with the same topics and range', async () => {
  const client = new QueryClient();
  const devices = [deviceWith(1), deviceWith(2)];
  const means: unknown[] = [];
  for (const device of devices) {
    const answer = await client.fetchQuery(historyQuery(device, 'total/pv_power', false, SPAN));
    means.push(answer.series[0]?.mean);
  }
  expect(means).toEqual([[1], [2]]);
  client.clear();
});
