import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HistoryAnswer } from '@heliograph/contracts';
import { ManualClock } from '@heliograph/kit';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Plant, READ_AT } from '../../../../test/serve/api/plant.ts';
import { basic, startTestDevice, type TestDevice } from '../../../../test/serve/api/test-device.ts';
import { MAX_POINTS, POINTS_OF_A_CURVE } from '../../../history/reading/plan.ts';
import { parseStep, parseTime } from './history-times.ts';

let device: TestDevice;
beforeAll(async () => {
  const clock = new ManualClock(READ_AT);
  const plant = new Plant();
  device = await startTestDevice({ plant, clock });
  for (const power of [1_000, 1_200, 800]) {
    plant.publish({
      'total/pv_power': power,
      'inverter_1/device_mode': 'Line mode',
      'battery_1/voltage': null,
    });
    clock.advance(2_000);
  }
});
afterAll(() => device.stop());

const history = async (query: string) => {
  const answer = await device.fetch(`/api/v1/history${query}`);
  return { status: answer.status, body: (await answer.json()) as HistoryAnswer & { error?: string } };
};

describe('GET /api/v1/history', () => {
  it('the answer holds arrays ready to plot', async () => {
    const { status, body } = await history('?topic=total/*&from=2026-06-01T12:00:00Z&step=2');
    const begin = Math.floor(READ_AT / 1000);
    expect([status, body]).toEqual([
      200,
      {
        from: begin,
        to: begin + 7,
        step: 2,
        series: [
          {
            topic: 'total/pv_power',
            name: 'PV power',
            unit: 'W',
            times: [begin, begin + 2, begin + 4],
            min: [1_000, 1_200, 800],
            mean: [1_000, 1_200, 800],
            max: [1_000, 1_200, 800],
            last: [1_000, 1_200, 800],
          },
        ],
        states: [],
      },
    ]);
  });

  it('a request without parameters gets the last day of every topic with values', async () => {
    const { body } = await history('');
    expect(Value.Check(HistoryAnswer, body)).toBe(true);
    expect(body).toMatchObject({ step: 300 });
    expect(body.series.map(({ topic, mean }) => [topic, mean])).toEqual([['total/pv_power', [1_000]]]);
    expect(body.states).toEqual([
      { topic: 'inverter_1/device_mode', name: 'Device mode', times: [READ_AT / 1000], last: ['Line mode'] },
    ]);
  });

  it('unknown topics get an empty answer', async () => {
    expect(await history('?topic=nothing/*')).toMatchObject({
      status: 200,
      body: { series: [], states: [] },
    });
  });

  it('a client without the password is answered 401', async () => {
    const headers = { authorization: basic('wrong', 'admin') };
    expect((await device.fetch('/api/v1/history', { headers })).status).toBe(401);
    expect((await fetch(`${device.api.url}/api/v1/history`)).status).toBe(401);
  });

  it.each([
    ['?from=yesterday', /^from must be a time such as 2026-06-01T00:00:00Z.*, not "yesterday"$/],
    ['?from=2026-06-01', /^from must be a time/],
    ['?to=2026-06-01T00:00:00', /^to must be a time/],
    ['?to=-1', /^to must be a time/],
    ['?from=2026-13-01T00:00:00Z', /^from must be a time/],
    ['?from=2026-02-30T00:00:00Z', /^from must be a time/],
    ['?to=2026-04-31T00:00:00%2B02:00', /^to must be a time/],
    ['?from=999999999999999', /^from must be a time/],
    ['?step=0', /^step must be seconds, or such as 30s, 5m, 1h or 1d, up to 400d, not "0"$/],
    ['?step=1.5', /^step must be/],
    ['?step=5w', /^step must be/],
    ['?step=999999d', /^step must be/],
    ['?step=', /^step must be/],
    ['?from=2026-06-02T00:00:00Z&to=2026-06-01T00:00:00Z', /^from must be before to$/],
    ['?from=0&step=1', /^\d+ topics in steps of 1 s would be \d+ points; at most 50000 are answered/],
    ['?topic=total/pv_power&from=0&step=1', /^1 topic in steps of 1 s/],
    ['?from=1&from=2', /^from must be a text, not a list$/],
    [`?topic=${'*'.repeat(257)}`, /^topic must have at most 256 characters, not 257$/],
  ])('a request with %s is refused with a reason', async (query, message) => {
    const { status, body } = await history(query);
    expect([status, body]).toEqual([400, { error: expect.stringMatching(message) }]);
  });
});

it('a read is abandoned when its client has gone', async () => {
  const { history } = device;
  const requested = Promise.withResolvers<AbortSignal | undefined>();
  const given = Promise.withResolvers<HistoryAnswer>();
  const read = vi.spyOn(history, 'read').mockImplementation(({ signal }) => {
    requested.resolve(signal);
    return given.promise;
  });
  try {
    const client = new AbortController();
    const answer = device.fetch('/api/v1/history', { signal: client.signal });
    const signal = await requested.promise;
    expect(signal?.aborted).toBe(false);
    client.abort();
    await expect(answer).rejects.toThrow();
    await expect.poll(() => signal?.aborted).toBe(true);
  } finally {
    given.resolve({ from: 0, to: 1, step: 1, series: [], states: [] });
    read.mockRestore();
  }
});

it('the limits are those of the guide', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../../../docs/api.md'), 'utf8').replaceAll(
    '\n',
    ' ',
  );
  expect(guide).toContain(
    `An answer has at most ${MAX_POINTS.toLocaleString('en')} points, all topics together`,
  );
  expect(guide).toContain(`at most ${POINTS_OF_A_CURVE.toLocaleString('en')} points a topic`);
});

it.each([
  ['2026-06-01T00:00:00Z', '2026-06-01T00:00:00.000Z'],
  ['2026-06-01T00:00:00.5z', '2026-06-01T00:00:00.500Z'],
  ['2026-06-01T02:00:00+02:00', '2026-06-01T00:00:00.000Z'],
  ['2026-06-01T02:00 02:00', '2026-06-01T00:00:00.000Z'],
  ['2026-05-31T19:00-0500', '2026-06-01T00:00:00.000Z'],
  ['1780272000', '2026-06-01T00:00:00.000Z'],
  ['1780272000.25', '2026-06-01T00:00:00.250Z'],
  ['1780272000000', '2026-06-01T00:00:00.000Z'],
  ['0', '1970-01-01T00:00:00.000Z'],
])('the time %s is %s', (text, time) => {
  expect(new Date(parseTime(text, 'from') ?? Number.NaN).toISOString()).toBe(time);
});

it.each([
  ['1', 1],
  ['30s', 30],
  ['5m', 300],
  ['1h', 3_600],
  ['400d', 400 * 86_400],
])('the step %s is %d seconds', (text, seconds) => {
  expect(parseStep(text)).toBe(seconds * 1000);
});
