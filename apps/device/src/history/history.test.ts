import { testMoment } from '@heliograph/kit';
import { afterEach, describe, expect, it } from 'vitest';
import { fillStates } from '../../test/history/filled-states.ts';
import {
  CELL,
  FLAG,
  HIDDEN,
  HOUR_MS,
  MINUTE_MS,
  MODE,
  PV,
  RecordedHome,
  SECOND_MS,
  timesOf,
} from '../../test/history/recorded-home.ts';
import { MAX_POINTS } from './reading/plan.ts';

const homes = new Set<RecordedHome>();
const recordedHome = (...of: ConstructorParameters<typeof RecordedHome>): RecordedHome => {
  const home = new RecordedHome(...of);
  homes.add(home);
  return home;
};
afterEach(() => {
  for (const home of homes) home[Symbol.dispose]();
  homes.clear();
});

const NOON = '2026-06-01T12:00:00.000Z';

const momentText = (second: string, laterMs = 0): string =>
  new Date(testMoment(second) + laterMs).toISOString();

describe('the history of a number', () => {
  it('a number has min, mean, max and last of each step', async () => {
    const home = recordedHome(NOON);
    const powers = [100, 200, 600, 40, 50];
    home.polls(10 * SECOND_MS, () => ({ [PV]: powers.shift() ?? null }));
    expect(await home.curve(PV, { from: NOON, stepS: 6 })).toEqual({
      topic: PV,
      name: 'PV power',
      unit: 'W',
      times: [Date.parse(NOON) / 1000, Date.parse(NOON) / 1000 + 6],
      min: [100, 40],
      mean: [300, 45],
      max: [600, 50],
      last: [600, 50],
    });
  });

  it.each([
    ['a step of the readings', 60],
    ['five minutes', 300],
    ['an odd step', 420],
    ['an hour', 3600],
    ['many hours', 6 * 3600],
  ])('the history is the same in every resolution: %s', async (_name, stepS) => {
    const home = recordedHome('2026-06-01T00:00:00Z', { pollIntervalMs: 10 * SECOND_MS });
    const power = (atMs: number): number => Math.round(1000 + 900 * Math.sin(atMs / 777_000));
    home.polls(8 * HOUR_MS, (at) => ({ [PV]: power(at) }));
    const from = Date.parse('2026-06-01T00:00:00Z');
    const firstPoll = testMoment('2026-06-01T00:00:00Z') - from;
    const curve = await home.curve(PV, { from: '2026-06-01T00:00:00Z', stepS });
    expect(curve.times).toHaveLength(Math.ceil((8 * 3600) / stepS));
    for (const [i, time] of curve.times.entries()) {
      expect(time).toBe(from / 1000 + i * stepS);
      const values: number[] = [];
      const end = Math.min((time + stepS) * 1000, home.clock.now());
      for (let at = time * 1000 + firstPoll; at < end; at += 10 * SECOND_MS) values.push(power(at));
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      expect([curve.min[i], curve.max[i], curve.last[i]]).toEqual([
        Math.min(...values),
        Math.max(...values),
        values.at(-1),
      ]);
      expect(curve.mean[i]).toBeCloseTo(mean, 2);
    }
  });

  it('numbers keep their decimals, and flags are 0 and 1', async () => {
    const home = recordedHome(NOON);
    home
      .poll({ [CELL]: 3.212, [FLAG]: true })
      .pass(2_000)
      .poll({ [CELL]: 3.21, [FLAG]: false });
    expect(await home.curve(CELL, { from: NOON, stepS: 60 })).toMatchObject({
      min: [3.21],
      mean: [3.211],
      max: [3.212],
      last: [3.21],
    });
    expect(await home.curve(FLAG, { from: NOON, stepS: 2 })).toMatchObject({ last: [1, 0], unit: 'Enabled' });
  });

  it('an unknown number is a gap, never a 0', async () => {
    const home = recordedHome(NOON);
    home.polls(10 * SECOND_MS, () => ({ [PV]: 500 }));
    home.polls(30 * SECOND_MS, () => ({ [PV]: null }));
    home.polls(4 * SECOND_MS, () => ({ [PV]: 700 }));
    const { last, min, mean, max, times } = await home.curve(PV, { from: NOON, stepS: 5 });
    expect(last).toEqual([500, 500, null, 700]);
    expect([min, mean, max]).toEqual([last, last, last]);
    expect(times.map((time) => time - Date.parse(NOON) / 1000)).toEqual([0, 5, 10, 40]);
  });

  it('polls that are farther apart than the steps leave no gap', async () => {
    const home = recordedHome(NOON, { pollIntervalMs: 10 * MINUTE_MS });
    home.polls(HOUR_MS, () => ({ [PV]: 1 }));
    expect((await home.curve(PV, { from: NOON, stepS: 60 })).last).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('metrics of the group Ignore are not recorded, nor readings of a clock that is not set', async () => {
    const home = recordedHome('1970-01-01T00:00:10Z');
    home.poll({ [PV]: 1, [HIDDEN]: 1 });
    expect(home.history.state).toBe("Waiting: the device's clock is not set");
    home.clock.jump(Date.parse(NOON));
    home.poll({ [HIDDEN]: 2 });
    expect(home.history.state).toBe('Recording');
    expect((await home.read('*', { from: '1970-01-01T00:00:00Z', stepS: 86_400 })).series).toEqual([]);
  });
});

describe('the history of a text', () => {
  it('a text has each new value with its time, beginning with the one at the start', async () => {
    const home = recordedHome(NOON);
    const modes = ['Line', 'Line', 'Battery', null, null, 'Line'];
    home.polls(12 * SECOND_MS, () => ({ [MODE]: modes.shift() ?? null }));
    const { states, series } = await home.read(MODE, { from: '2026-06-01T12:00:01Z' });
    expect(series).toEqual([]);
    expect(states).toEqual([
      { topic: MODE, name: 'Device mode', times: expect.any(Array), last: ['Line', 'Battery', null, 'Line'] },
    ]);
    expect(states.map(timesOf)).toEqual([
      [
        '2026-06-01T12:00:01.000Z',
        momentText('2026-06-01T12:00:04Z'),
        momentText('2026-06-01T12:00:06Z'),
        momentText('2026-06-01T12:00:10Z'),
      ],
    ]);
  });

  it('a text is unknown while the device was off', async () => {
    const home = recordedHome(NOON);
    home.polls(4 * SECOND_MS, () => ({ [MODE]: 'Line' }));
    home.stop();
    home.pass(HOUR_MS).start();
    home.polls(4 * SECOND_MS, () => ({ [MODE]: 'Line' }));
    const [states] = (await home.read(MODE, { from: NOON })).states;
    expect(states?.last).toEqual(['Line', null, 'Line']);
    expect(timesOf(states ?? { times: [] })).toEqual([
      momentText(NOON),
      momentText('2026-06-01T12:00:02Z', 1),
      momentText('2026-06-01T13:00:04Z'),
    ]);
  });

  it('a text that changes with every poll does not fill the disk', async () => {
    const home = recordedHome(NOON);
    home.polls(10 * MINUTE_MS, (at) => ({ [MODE]: `It is ${at}` }));
    const [states] = (await home.read(MODE, { from: NOON })).states;
    expect(states?.last.length).toBeLessThanOrEqual(11 * 6);
    expect(states?.last.length).toBeGreaterThan(10);
  });
});

describe('a restart', () => {
  it('recording goes on in the same buckets after a restart', async () => {
    const home = recordedHome(NOON);
    home.polls(MINUTE_MS, () => ({ [PV]: 100 }));
    home.stop();
    home.start();
    home.polls(MINUTE_MS, () => ({ [PV]: 300 }));
    for (const stepS of [300, 3600]) {
      expect(await home.curve(PV, { from: NOON, stepS })).toMatchObject({
        times: [Date.parse(NOON) / 1000],
        min: [100],
        mean: [200],
        max: [300],
        last: [300],
      });
    }
  });
});

describe('History with a wall clock that is set', () => {
  it('a clock set back puts an hour twice into the same buckets', async () => {
    const home = recordedHome(NOON);
    home.polls(5 * MINUTE_MS, () => ({ [PV]: 100 }));
    home.clock.jump(Date.parse(NOON));
    home.polls(5 * MINUTE_MS, () => ({ [PV]: 300 }));
    for (const stepS of [60, 300, 3600]) {
      const { times, mean, last } = await home.curve(PV, { from: NOON, stepS });
      expect(times).toHaveLength(Math.ceil(300 / stepS));
      expect(new Set(times).size).toBe(times.length);
      expect(mean.every((value) => value !== null && value >= 200 && value <= 300)).toBe(true);
      expect(last.at(-1)).toBe(300);
    }
  });

  it('a clock set forward leaves a gap, and readings of the future stay there', async () => {
    const home = recordedHome(NOON);
    home.polls(5 * MINUTE_MS, () => ({ [PV]: 1 }));
    home.clock.jump(Date.parse('2050-01-01T00:00:00Z'));
    home.polls(5 * MINUTE_MS, () => ({ [PV]: 2 }));
    home.clock.jump(Date.parse('2026-06-01T12:10:00Z'));
    home.polls(5 * MINUTE_MS, () => ({ [PV]: 3 }));
    expect((await home.curve(PV, { from: NOON, stepS: 300 })).last).toEqual([1, null, 3]);
    const future = { from: '2050-01-01T00:00:00Z', to: '2050-01-02T00:00:00Z', stepS: 300 };
    expect((await home.curve(PV, future)).last).toEqual([2]);
  });

  it.each([
    ['ten years ahead', '2036-06-01T12:00:00Z'],
    ['ten minutes ahead', '2026-06-01T12:10:00Z'],
  ])('a text ends with the recording, also after a clock that was %s', async (_how, wrong) => {
    const home = recordedHome(NOON);
    home.polls(4 * SECOND_MS, () => ({ [MODE]: 'Line' }));
    home.clock.jump(Date.parse(wrong));
    home.polls(4 * SECOND_MS, () => ({ [MODE]: 'Fault' }));
    home.clock.jump(Date.parse('2026-06-01T12:01:00Z'));
    home.polls(4 * SECOND_MS, () => ({ [MODE]: 'Battery' }));
    home.stop();
    home.pass(2 * MINUTE_MS).start();
    const until = { from: NOON, to: '2026-06-01T12:09:00Z' };
    const [states] = (await home.read(MODE, until)).states;
    expect(states?.last).toEqual(['Line', 'Battery', null]);
    expect(timesOf(states ?? { times: [] }).slice(1)).toEqual([
      '2026-06-01T12:01:00.000Z',
      '2026-06-01T12:01:02.001Z',
    ]);
  });

  it('a text ends with the recording when the device then starts with a clock that is behind', async () => {
    const home = recordedHome(NOON);
    home.polls(4 * SECOND_MS, () => ({ [MODE]: 'Line' }));
    home.stop();
    home.clock.jump(Date.parse('2026-03-01T12:00:00Z'));
    home.start();
    const [states] = (await home.read(MODE, { from: NOON, to: '2026-06-01T13:00:00Z' })).states;
    expect(states?.last).toEqual(['Line', null]);
  });

  it('a clock that is set ends no state twice and loses none', async () => {
    const home = recordedHome(NOON);
    home.polls(4 * SECOND_MS, () => ({ [MODE]: 'Line' }));
    home.clock.jump(Date.parse('2026-06-01T11:00:00Z'));
    home.polls(4 * SECOND_MS, () => ({ [MODE]: 'Battery' }));
    const [states] = (await home.read(MODE, { from: '2026-06-01T10:00:00Z', to: '2026-06-01T13:00:00Z' }))
      .states;
    expect(states?.last.toSorted()).toEqual(['Battery', 'Line']);
  });
});

describe('an answer of the history', () => {
  it.each([2, 300, 3600])(
    'an answer has the readings written during the read, in steps of %d s',
    async (stepS) => {
      const home = recordedHome('2026-06-01T11:30:00Z');
      const seconds = (at: number) => ({ [PV]: Math.round(at / 1000) % 3600 });
      home.polls(30 * MINUTE_MS - 2 * SECOND_MS, seconds);
      const part = { from: '2026-06-01T11:30:00Z', to: '2026-06-01T13:00:00Z', stepS };
      const reading = home.curve(PV, part);
      // Snapshots written now begin rows of their own.
      home.polls(2 * MINUTE_MS, seconds);
      expect(await reading).toEqual(await home.curve(PV, part));
    },
  );

  it('a read stops when its client has gone', async () => {
    const home = recordedHome(NOON);
    home.poll({ [PV]: 1, [CELL]: 3, [MODE]: 'Line' });
    const gone = new AbortController();
    const reading = home.history.read({ matches: () => true, signal: gone.signal });
    gone.abort();
    expect((await reading).series.length).toBeLessThan(2);
  });

  it('an answer is bounded in its states too, all topics together', async () => {
    const home = recordedHome(NOON);
    const changes = MAX_POINTS / 2 + 1;
    fillStates(home.folder, [MODE, 'inverter_2/device_mode'], Date.parse(NOON), changes);
    const week = { from: NOON, to: '2026-07-01T12:00:00Z', stepS: 86_400 };
    const one = await home.read(MODE, week);
    expect(one.states.map(({ times }) => times.length)).toEqual([changes]);
    await expect(home.read('*', week)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/more than 50000 points.*ask for a shorter time or fewer topics/),
    });
  });

  it.each([
    ['half past, as where India begins its days', '2026-05-31T18:30:00Z', '2026-05-31T18:30:00.000Z'],
    ['a quarter to, as in Nepal', '2026-05-31T18:15:00Z', '2026-05-31T18:15:00.000Z'],
    ['any second, at the hour before', '2026-05-31T18:30:07Z', '2026-05-31T18:00:00.000Z'],
  ])('an answer has steps of a day from %s', async (_name, from, begins) => {
    const home = recordedHome('2026-05-31T12:00:00Z', { pollIntervalMs: 5 * MINUTE_MS });
    const midnight = Date.parse(begins);
    home.polls(30 * HOUR_MS, (at) => ({ [PV]: at < midnight ? 1 : 2 }));
    const { times, min } = await home.curve(PV, { from, to: '2026-06-01T18:00:00Z', stepS: 86_400 });
    expect([times.map((time) => new Date(time * 1000).toISOString()), min]).toEqual([[begins], [2]]);
  });

  it.each([
    ['a day', '2026-06-01T12:00:00Z', 300],
    ['an hour', '2026-06-02T11:00:00Z', 5],
    ['a week', '2026-05-26T12:00:00Z', 900],
    ['a year', '2025-06-02T12:00:00Z', 12 * 3600],
    ['ten years', '2016-06-02T12:00:00Z', 7 * 86_400],
  ])('an answer has a step that suits %s', async (_name, from, step) => {
    const home = recordedHome('2026-06-02T12:00:00Z');
    home.poll({ [PV]: 1 });
    expect(await home.read(PV, { from, to: '2026-06-02T12:00:00Z' })).toMatchObject({ step });
  });

  it('a request without parameters gets the last day, in steps that stay in place', async () => {
    const home = recordedHome('2026-06-02T12:03:07Z');
    home.poll({ [PV]: 1 });
    expect(await home.read(PV)).toMatchObject({
      from: Date.parse('2026-06-01T12:00:00Z') / 1000,
      to: Date.parse('2026-06-02T12:03:08Z') / 1000,
      step: 300,
    });
  });

  it('a request for too many points, or an empty range, is refused with a reason', async () => {
    const home = recordedHome(NOON);
    home.poll({ [PV]: 1, [CELL]: 3 });
    const year = { from: '2025-06-01T12:00:00Z', stepS: 60 };
    await expect(home.read('*', year)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^2 topics in steps of 60 s would be 10512\d\d points; at most 50000/),
    });
    await expect(home.read('*', { from: NOON, to: NOON })).rejects.toMatchObject({
      status: 400,
      message: 'from must be before to',
    });
  });
});

it('since() is the first recorded time, on the disk or not', async () => {
  const home = recordedHome(NOON);
  expect(home.history.since()).toBeUndefined();
  home.poll({ [PV]: 100 });
  expect(home.history.since()).toBe(testMoment(NOON));
  home.pass(HOUR_MS).polls(3 * MINUTE_MS, () => ({ [PV]: 100 }));
  home.stop();
  expect(home.start().history.since()).toBe(testMoment(NOON));
});
