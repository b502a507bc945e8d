import { ManualClock } from '@heliograph/kit';
import { defineMetric, quantities } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import { housePlant, Plant, READ_AT } from '../../../../test/serve/api/plant.ts';
import { caller, READER } from '../../../../test/serve/mcp/valid-output.ts';
import type { LoggedWrite } from '../site-sources.ts';
import { metricsTool } from './metrics-tool.ts';

const SETTLES_BY = '2026-07-16T12:06:00Z';
const NO_WRITES = { writes: { recent: () => [] }, clock: new ManualClock(READ_AT) };
const house = caller(metricsTool({ snapshots: housePlant().snapshots, ...NO_WRITES }));
const topicsOf = ({ metrics }: Awaited<ReturnType<typeof house>>): readonly string[] =>
  metrics.map(({ topic }) => topic);

describe('get_metrics', () => {
  it('values match any glob, each once, and globs without a match are named', async () => {
    const answer = await house({ topics: ['total/*', '*/pv_power', 'battery_9/*'] });
    expect(topicsOf(answer)).toEqual(['total/pv_power', 'total/load_power', 'inverter_1/pv_power']);
    expect(answer).toMatchObject({ total: 3, next: null, unmatched: ['battery_9/*'] });
    expect(answer.metrics[0]).toEqual({
      topic: 'total/pv_power',
      name: 'PV power',
      value: 1240,
      unit: 'W',
      updated_at: new Date(READ_AT).toISOString(),
      stale: false,
    });
  });

  it('a setting lists its allowed values', async () => {
    const { metrics } = await house({ topics: ['*'], group: 'Settings' });
    expect(metrics.map(({ topic, setting }) => [topic, setting])).toEqual([
      ['inverter_1/max_charge_current', { min: 0, max: 100, step: 1 }],
      ['inverter_1/work_mode', { options: ['Selling first', 'Zero export'] }],
      ['inverter_1/combine_pv/ac_supply', undefined],
    ]);
  });

  it('a setting has its newest attempt of the last day, for callers that may write alone', async () => {
    const topic = 'inverter_1/max_charge_current';
    const write = (at: number, newValue: string) => ({
      ...{ at, topic, newValue },
      ...({ outcome: 'unknown', reason: 'not_in_time', isOpen: true, settlesBy: SETTLES_BY } as const),
    });
    const recent = [write(READ_AT - 1_000, '30'), write(READ_AT - 2_000, '20')] as const;
    const tool = (writes: readonly LoggedWrite[]) =>
      metricsTool({
        snapshots: housePlant().snapshots,
        writes: { recent: () => writes },
        clock: new ManualClock(READ_AT),
      });
    const writer = { ...READER, mayWrite: true };
    const last = {
      at: new Date(READ_AT - 1_000).toISOString(),
      value: '30',
      outcome: 'unknown',
      reason: 'not_in_time',
      pending: true,
      settles_by: SETTLES_BY,
    };
    expect((await caller(tool(recent), writer)({ topics: [topic] })).metrics[0]?.last_write).toEqual(last);
    expect((await caller(tool(recent))({ topics: [topic] })).metrics[0]).not.toHaveProperty('last_write');
    const old = [write(READ_AT - 25 * 60 * 60 * 1000, '20')];
    expect((await caller(tool(old), writer)({ topics: [topic] })).metrics[0]).not.toHaveProperty(
      'last_write',
    );
  });

  it.each([
    [{ topics: ['inverter_1/raw*'] }, undefined],
    [{ topics: ['inverter_1/raw_status_word'] }, ['inverter_1/raw_status_word']],
    [{ topics: ['*'], group: 'Ignore' as const }, ['inverter_1/raw_status_word']],
  ])('hidden metrics are answered when requested: %j', async (requested, topics) => {
    const answer = house(requested);
    if (topics === undefined) await expect(answer).rejects.toThrow(/Nothing matches/);
    else expect(topicsOf(await answer)).toEqual(topics);
  });

  it('all pages together hold every value, however large they are', async () => {
    const all = (await house({ topics: ['*'] })).metrics;
    for (const limit of [1, 3, all.length, all.length + 1]) {
      const pages: object[] = [];
      let next: string | null = null;
      do {
        const answer = await house({ topics: ['*'], limit, ...(next !== null && { cursor: next }) });
        expect(answer.total).toBe(all.length);
        pages.push(...answer.metrics);
        next = answer.next;
      } while (next !== null);
      expect(pages).toEqual(all);
    }
  });
});

describe('refusals of get_metrics', () => {
  it.each([
    ['voltage', /Near: battery_1\/voltage\. There are total\/\* \(2\), inverter_1\/\* \(5\)/],
    ['battery/v', /There are .*battery_1\/\* \(1\)/],
    ['inverter/pv*', /Near: inverter_1\/pv_power, .*total\/pv_power/],
    ['inverter_1/mcc', /Near: inverter_1\/max_charge_current/],
  ])('%s', async (topic, message) => {
    await expect(house({ topics: [topic] })).rejects.toThrow(message);
  });

  it('a cursor of another call is refused', async () => {
    await expect(house({ topics: ['*'], cursor: 'nowhere' })).rejects.toThrow(/ask without cursor/);
  });

  it('a call before the first reading is refused', async () => {
    const refused = caller(metricsTool({ snapshots: new Plant().snapshots, ...NO_WRITES }));
    await expect(refused({ topics: ['*'] })).rejects.toThrow(/no values yet/);
  });
});

it('an answer is bounded for a home with thousands of metrics', async () => {
  const many = Array.from({ length: 1_000 }, (_, i) =>
    defineMetric('inverters', i, quantities.power('PV power')),
  );
  const plant = new Plant(many);
  plant.publish(Object.fromEntries(many.map(({ topic }) => [topic, 1])));
  const call = caller(metricsTool({ snapshots: plant.snapshots, ...NO_WRITES }));
  expect((await call({ topics: ['*'] })).metrics).toHaveLength(100);
  expect((await call({ topics: ['*'], limit: 200 })).metrics).toHaveLength(200);
  await expect(call({ topics: ['nothing'] })).rejects.toThrow(/…\.$/);
});
