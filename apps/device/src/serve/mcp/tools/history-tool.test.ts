import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  MODE,
  PV,
  PV_ENERGY,
  RecordedHome,
} from '../../../../test/history/recorded-home.ts';
import { caller } from '../../../../test/serve/mcp/valid-output.ts';
import { localDay } from '../../../common/local-time.ts';
import { historyTool } from './history-tool.ts';

const BERLIN = 'Europe/Berlin';

const homes = new Set<RecordedHome>();
afterEach(() => {
  for (const home of homes) home[Symbol.dispose]();
  homes.clear();
});

const homeSince = (now: string, pollIntervalMs = 10 * MINUTE_MS): RecordedHome => {
  const home = new RecordedHome(now, { pollIntervalMs });
  homes.add(home);
  return home;
};

const query = (home: RecordedHome, timeZone = BERLIN) => {
  const { publisher: snapshots, history, clock } = home;
  return caller(historyTool({ snapshots, history, clock, calendar: { timeZone, energyPeriod: 'daily' } }));
};

/** A counter that counts so much with each poll, and restarts with each day of the zone. */
const counter = (kwh: number, zone: string) => {
  let day: number | undefined;
  let counted = 0;
  return (atMs: number): number => {
    counted = localDay(atMs, zone) === day ? counted + kwh : kwh;
    day = localDay(atMs, zone);
    return Math.round(counted * 100) / 100;
  };
};

describe('get_history as a summary', () => {
  it('a summary aggregates the readings', async () => {
    const home = homeSince('2026-06-01T10:00:00Z');
    const powers = [100, 400, 250, 50];
    home.polls(40 * MINUTE_MS, () => ({ [PV]: powers.shift() ?? null }));
    const { series, ...answer } = await query(home)({ topics: [PV], from: '2026-06-01' });
    expect(answer).toEqual({
      from: '2026-06-01T12:00:00+02:00',
      to: '2026-06-01T12:40:00+02:00',
      time_zone: BERLIN,
      history_since: '2026-06-01T12:00:00+02:00',
      resolution_s: 60,
    });
    expect(series).toEqual([
      {
        topic: PV,
        name: 'PV power',
        unit: 'W',
        kind: 'measurement',
        first_at: '2026-06-01T12:00:00+02:00',
        last_at: '2026-06-01T12:30:00+02:00',
        // The last reading is known to hold for its minute alone.
        covered_percent: 77,
        summary: {
          min: 50,
          min_at: '2026-06-01T12:30:00+02:00',
          max: 400,
          max_at: '2026-06-01T12:10:00+02:00',
          mean: 243.559,
          first: 100,
          last: 50,
          change: -50,
          energy_kwh: 0.126,
        },
      },
    ]);
  });

  it('the summary of a text has the hours of each value', async () => {
    const home = homeSince('2026-06-01T10:00:00Z');
    home.polls(HOUR_MS, () => ({ [MODE]: 'Grid' })).polls(2 * HOUR_MS, () => ({ [MODE]: 'Battery' }));
    const { series } = await query(home)({ topics: [MODE], from: '2026-06-01T14:00:00+02:00' });
    expect(series).toMatchObject([
      {
        kind: 'text',
        covered_percent: null,
        summary: { states: [{ value: 'Battery', hours: 1 }] },
      },
    ]);
    const curve = await query(home)({ topics: [MODE], from: '-3h', as: 'curve' });
    expect(curve.series[0]?.points).toEqual([
      { at: '2026-06-01T12:00:00+02:00', value: 'Grid' },
      { at: '2026-06-01T13:00:00+02:00', value: 'Battery' },
    ]);
  });

  it('a summary leaves out the time without readings', async () => {
    const home = homeSince('2026-06-01T10:00:00Z');
    home
      .polls(2 * HOUR_MS, () => ({ [PV]: 1000 }))
      .pass(6 * HOUR_MS)
      .polls(2 * HOUR_MS, () => ({ [PV]: 2000 }));
    const { series } = await query(home)({ topics: [PV] });
    expect(series[0]?.covered_percent).toBe(38);
    expect(series[0]?.summary?.mean).toBeCloseTo(1500, 0);
  });
});

describe('get_history of energy', () => {
  // The clocks go back in the night to the 25th, which has 25 hours.
  const autumn = new RecordedHome('2026-10-22T22:00:00Z', { pollIntervalMs: 30 * MINUTE_MS });
  beforeAll(() => {
    const counted = counter(0.3, BERLIN);
    autumn.polls(4 * DAY_MS, (atMs) => ({ [PV_ENERGY]: counted(atMs) }));
  });
  afterAll(() => autumn[Symbol.dispose]());

  it('the energy of each day is counted over restarts of the counter and days of 23 to 25 hours', async () => {
    const { series, step } = await query(autumn)({
      topics: [PV_ENERGY],
      from: '2026-10-23',
      as: 'curve',
      step: '1d',
    });
    expect(step).toBe('1d');
    expect(series[0]?.points).toEqual([
      // The first reading of all is the beginning of what is known.
      { at: '2026-10-23T00:00:00+02:00', kwh: 14.1 },
      { at: '2026-10-24T00:00:00+02:00', kwh: 14.4 },
      { at: '2026-10-25T00:00:00+02:00', kwh: 15 },
      { at: '2026-10-26T00:00:00+01:00', kwh: 13.8 },
    ]);
  });

  it.each([
    ['2026-10-25', '2026-10-25', 15],
    ['2026-10-24', '2026-10-25', 29.4],
    ['2026-10-24T12:00', '2026-10-25T12:00', 15],
  ])('the energy from %s to %s is %s kWh', async (from, to, kwh) => {
    const { series } = await query(autumn)({ topics: [PV_ENERGY], from, to });
    expect(series[0]).toMatchObject({ kind: 'energy', summary: { energy_kwh: kwh } });
  });
});

describe('refusals of get_history', () => {
  it('a time before all readings is refused with the time of the first', async () => {
    const home = homeSince('2026-06-01T10:00:00Z').polls(HOUR_MS, () => ({ [PV]: 1 }));
    await expect(query(home)({ topics: [PV], from: '2026-01', to: '2026-03' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^History begins at 2026-06-01T12:00:00\+02:00/),
    });
  });

  it('an unknown topic is refused with one that exists', async () => {
    const home = homeSince('2026-06-01T10:00:00Z').polls(HOUR_MS, () => ({ [PV]: 1, [PV_ENERGY]: 2 }));
    await expect(query(home)({ topics: ['inverter/pv_power'] })).rejects.toThrow(/Near: total\/pv_power/);
    await expect(query(home)({ topics: ['total/*'] })).rejects.toThrow(/Globs are for get_metrics/);
  });

  it('a curve of too many points is refused with a step that fits', async () => {
    const home = homeSince('2026-06-01T10:00:00Z', HOUR_MS).polls(2 * DAY_MS, () => ({ [PV]: 1 }));
    await expect(query(home)({ topics: [PV], from: '-2d', as: 'curve', step: '5m' })).rejects.toThrow(
      /take step 15m/,
    );
  });

  it('a device without any reading refuses with the tool for current values', async () => {
    await expect(query(homeSince('2026-06-01T10:00:00Z'))({ topics: [PV] })).rejects.toThrow(/get_metrics/);
  });
});

it('a known topic without readings in that time has an empty series, not zero', async () => {
  const home = homeSince('2026-06-01T10:00:00Z').polls(HOUR_MS, () => ({ [PV]: 1, [PV_ENERGY]: null }));
  const { series } = await query(home)({ topics: [PV_ENERGY] });
  expect(series).toEqual([
    {
      topic: PV_ENERGY,
      name: 'PV energy',
      unit: 'kWh',
      kind: 'nothing',
      first_at: null,
      last_at: null,
      covered_percent: 0,
    },
  ]);
});

it('an answer stays within its points, whatever time is requested', async () => {
  const home = homeSince('2026-03-01T10:00:00Z', 30 * MINUTE_MS);
  for (let month = 0; month < 6; month++)
    home.polls(6 * HOUR_MS, () => ({ [PV]: 700, [MODE]: 'Grid' })).pass(30 * DAY_MS);
  const tool = new Map(['UTC', 'Asia/Kathmandu', BERLIN].map((zone) => [zone, query(home, zone)]));
  const from = fc.constantFrom(
    '1970-01-01',
    '-1m',
    '-90m',
    '-5h',
    '-40h',
    'this_week',
    'this_month',
    '-60d',
    'this_year',
  );
  const topics = fc.constantFrom([PV], [PV, MODE], [PV, MODE, 'total/pv_power']);
  await fc.assert(
    fc.asyncProperty(from, topics, fc.constantFrom(...tool.values()), async (since, requested, call) => {
      const unique = [...new Set(requested)];
      const answer = await call({ topics: unique, from: since, as: 'curve' });
      const points = answer.series.flatMap((series) => series.points ?? []);
      expect(points.length).toBeLessThanOrEqual(200);
      for (const { at } of points) {
        expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(answer.from));
        expect(Date.parse(at)).toBeLessThan(Date.parse(answer.to));
      }
    }),
    { numRuns: 40 },
  );
});
