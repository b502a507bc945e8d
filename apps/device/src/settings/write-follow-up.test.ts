import type { WriteOutcome } from '@heliograph/contracts';
import { silentLogger } from '@heliograph/kit';
import { type MetricValue, quantities } from '@heliograph/metrics';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeHardware } from '../../test/poll/fake-hardware.ts';
import { FakeHome } from '../../test/poll/fake-home.ts';
import { LinkDown, WriteUnanswered } from '../bus/failures.ts';
import { KeptByHardware, RejectedByHardware, type Unit } from '../drivers/driver.ts';
import { FollowedWrites } from '../storage/followed-writes.ts';
import type { Author } from '../storage/write-log.ts';
import { HardwareSettings } from './hardware-settings.ts';
import { WriteFollowUp } from './write-follow-up.ts';

const TOPIC = 'inverter_1/max_charge_current';
const AUTHOR: Author = { name: 'local', via: 'lan' };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PERCENT = { min: 0, max: 100, step: 1 };
const INVERTER: Unit = {
  kind: 'inverters',
  model: 'Hybrid',
  quantities: [
    quantities.info('Serial number'),
    quantities.power('PV power'),
    quantities.numberSetting('Max charge current', 'A', PERCENT),
    quantities.switchSetting('Use timer'),
    quantities.selectSetting('Work mode', ['Zero export', 'Selling first']),
    quantities.numberSetting('Program 1 SoC', '%', PERCENT),
    quantities.numberSetting('Program 2 SoC', '%', PERCENT),
  ],
};
const values = (): Record<string, MetricValue> => ({
  'Serial number': 'A1',
  'PV power': 500,
  'Max charge current': 10,
  'Use timer': false,
  'Work mode': 'Zero export',
  'Program 1 SoC': 70,
  'Program 2 SoC': 30,
});

let fake: FakeHardware;
let home: FakeHome;
let followUp: WriteFollowUp;
let settings: HardwareSettings;
let reports: unknown[];

/** Starts a device in a data folder, which may be that of one before. */
async function start(hardware: FakeHardware, folder?: string): Promise<void> {
  fake = hardware;
  fake.keepsInForce = true;
  home = new FakeHome([async () => fake], folder);
  reports = [];
  const onOutcome = (topic: string, outcome: WriteOutcome, value: string) =>
    reports.push([topic, outcome, value]);
  const shared = { ...home, logger: silentLogger, onOutcome };
  followUp = new WriteFollowUp(shared);
  settings = new HardwareSettings({ ...shared, followUp, hardware: home.collector, writesPerDay: () => 100 });
}

/** Polls: the clock moves, and every value is read again. */
async function pollAfter(ms: number): Promise<void> {
  home.clock.advance(ms);
  const at = home.clock.now();
  await expect.poll(() => home.sample('inverter_1/pv_power')?.readAt, { interval: 5 }).toBe(at);
}

/** Writes as a user does; a refusal is an answer, too. */
async function write(value: string, failure?: Error, topic = TOPIC): Promise<void> {
  fake.duringWrite = failure && (() => Promise.reject(failure));
  await settings.set(topic, value, AUTHOR).catch(() => undefined);
  fake.duringWrite = undefined;
}

const lastWrite = () => home.log.recent(1)[0];
const outcomes = () => home.log.recent(10).map(({ newValue, outcome }) => [newValue, outcome]);
const setByHardware = (changed: Record<string, MetricValue>) =>
  Object.assign(fake.units[0]?.values ?? {}, changed);

beforeEach(async () => {
  await start(new FakeHardware({ ...INVERTER, values: values() }));
  followUp.start();
  home.start();
  await expect.poll(() => home.value(TOPIC)).toBe(10);
});

afterEach(async () => {
  vi.useRealTimers();
  followUp.stop();
  await home.stop();
});

const SILENT = new WriteUnanswered('silent');
const KEPT = new KeptByHardware('the inverter kept 10');
const REFUSED = new RejectedByHardware('the inverter refused 25: illegal data value');

it('a value that is set back while the other one may still come into force is sent, and ends its corrections', async () => {
  await write('25', SILENT);
  await write('10');
  expect(fake.writes.map(({ value }) => value)).toEqual([25, 10]);
  setByHardware({ 'Max charge current': 10 });
  await pollAfter(2_000);
  await pollAfter(6 * MINUTE_MS);
  expect(outcomes()).toEqual([
    ['10', 'ok'],
    ['25', 'unknown'],
  ]);
  expect(reports.at(-1)).toEqual([TOPIC, 'ok', '10']);
  await write('10');
  expect(fake.writes).toHaveLength(2);
});

describe('a value that a later poll shows in force', () => {
  it.each([
    ['was not answered', SILENT, 'unknown'],
    ['was acknowledged and kept', KEPT, 'rejected'],
    ['failed for a fault of the program', new TypeError('not a function'), 'unknown'],
  ])('a write that %s becomes ok, at the time of the reading', async (_how, failure, outcome) => {
    await write('25', failure);
    const at = home.clock.now();
    expect(lastWrite()).toMatchObject({ outcome, settledAt: null, isOpen: true });
    await pollAfter(3_000);
    expect(lastWrite()).toMatchObject({ outcome, settledAt: null, isOpen: true });
    setByHardware({ 'Max charge current': 25 });
    await pollAfter(2_000);
    expect(lastWrite()).toMatchObject({ at, outcome: 'ok', settledAt: home.clock.now(), isOpen: false });
    expect(reports.at(-1)).toEqual([TOPIC, 'ok', '25']);
  });

  it('a write that took a third value first becomes ok', async () => {
    fake.appliesInstead = 17;
    await write('25');
    expect(lastWrite()).toMatchObject({ outcome: 'altered', isOpen: true });
    setByHardware({ 'Max charge current': 25 });
    await pollAfter(2_000);
    expect(lastWrite()).toMatchObject({ outcome: 'ok', settledAt: home.clock.now() });
  });

  it.each<[string, string, string, MetricValue]>([
    ['a switch', 'inverter_1/use_timer', 'true', true],
    ['an option', 'inverter_1/work_mode', 'Selling first', 'Selling first'],
    ['a number near the step', TOPIC, '25', 25.4],
  ])('%s that is in force is recognised', async (_kind, topic, value, now) => {
    await write(value, SILENT, topic);
    const name = home.sample(topic)?.definition.name ?? '';
    setByHardware({ [name]: now });
    await pollAfter(2_000);
    expect(lastWrite()).toMatchObject({ topic, outcome: 'ok' });
  });

  it('a write that the hardware refused and carried out all the same becomes ok', async () => {
    await write('25', REFUSED);
    await pollAfter(2_000);
    expect(lastWrite()).toMatchObject({ outcome: 'rejected', isOpen: false, settledAt: null });
    setByHardware({ 'Max charge current': 25 });
    await pollAfter(2_000);
    expect(lastWrite()).toMatchObject({ outcome: 'ok', settledAt: home.clock.now() });
    expect(reports.at(-1)).toEqual([TOPIC, 'ok', '25']);
  });

  it('a refused write that is not carried out stays rejected, and has the old value sent no second time', async () => {
    await write('25', REFUSED);
    const sent = fake.writes.length;
    await write('10');
    expect(fake.writes).toHaveLength(sent);
    await pollAfter(2_000);
    await pollAfter(6 * MINUTE_MS);
    setByHardware({ 'Max charge current': 25 });
    await pollAfter(2_000);
    expect(outcomes()).toEqual([
      ['10', 'ok'],
      ['25', 'rejected'],
    ]);
  });

  it.each([
    ['corrects', 'almost five minutes', 5 * MINUTE_MS - 3_000, 'ok'],
    ['does not correct', 'more than five minutes', 5 * MINUTE_MS, 'rejected'],
    ['does not correct', 'hours', 11 * HOUR_MS, 'rejected'],
  ])('a first reading %s a refused write when it comes %s later', async (_does, _when, silentMs, outcome) => {
    await write('25', REFUSED);
    fake.failure = new LinkDown('night');
    setByHardware({ 'Max charge current': 25 });
    home.clock.advance(silentMs);
    fake.failure = undefined;
    await pollAfter(2_000);
    const settledAt = outcome === 'ok' ? home.clock.now() : null;
    expect(lastWrite()).toMatchObject({ outcome, settledAt, isOpen: false });
    expect(reports.at(-1)).toEqual([TOPIC, outcome, '25']);
  });

  it('a value that comes after five minutes of readings confirms nothing', async () => {
    await write('25', KEPT);
    await pollAfter(2_000);
    await pollAfter(5 * MINUTE_MS);
    expect(lastWrite()).toMatchObject({ outcome: 'rejected', isOpen: false });
    setByHardware({ 'Max charge current': 25 });
    await pollAfter(2_000);
    expect(lastWrite()).toMatchObject({ outcome: 'rejected', settledAt: null });
  });

  it('the first reading after a long silence counts', async () => {
    await write('25', SILENT);
    fake.failure = new LinkDown('night');
    setByHardware({ 'Max charge current': 25 });
    home.clock.advance(11 * HOUR_MS);
    fake.failure = undefined;
    await pollAfter(2_000);
    expect(lastWrite()).toMatchObject({ outcome: 'ok', settledAt: home.clock.now() });
  });

  it('a reading of more than a day later is of another time', async () => {
    await write('25', SILENT);
    fake.failure = new LinkDown('away');
    setByHardware({ 'Max charge current': 25 });
    home.clock.advance(24 * HOUR_MS);
    fake.failure = undefined;
    await pollAfter(2_000);
    expect(lastWrite()).toMatchObject({ outcome: 'unknown', settledAt: null, isOpen: false });
  });

  it.each([
    ['was not answered', SILENT, 'unknown'],
    ['was refused', REFUSED, 'rejected'],
  ])(
    'a value of another inverter at the same place confirms no write that %s',
    async (_how, failure, outcome) => {
      await write('25', failure);
      setByHardware({ 'Serial number': 'B2', 'Max charge current': 25 });
      await pollAfter(2_000);
      expect(lastWrite()).toMatchObject({ outcome, settledAt: null, isOpen: false });
    },
  );
});

describe('a value that no poll shows in force', () => {
  it.each([
    ['the old value', 10, 'rejected', 'no_answer'],
    ['a third value', 17, 'altered', 'altered'],
  ])('an unknown write with %s is settled after five minutes', async (_what, now, outcome, reason) => {
    await write('25', SILENT);
    setByHardware({ 'Max charge current': now });
    await pollAfter(2_000);
    await pollAfter(5 * MINUTE_MS - 2_000);
    expect(lastWrite()).toMatchObject({ outcome: 'unknown', isOpen: true });
    await pollAfter(2_000);
    expect(lastWrite()).toMatchObject({ outcome, reason, settledAt: home.clock.now(), isOpen: false });
    expect(reports.at(-1)).toEqual([TOPIC, outcome, '25']);
  });

  it('an unknown write over the value of another master is not altered while that value stays', async () => {
    fake.polled = values();
    setByHardware({ 'Max charge current': 17 });
    await write('25', SILENT);
    fake.polled = undefined;
    await pollAfter(2_000);
    await pollAfter(5 * MINUTE_MS);
    expect(lastWrite()).toMatchObject({ oldValue: '17', outcome: 'rejected', reason: 'no_answer' });
  });

  it('a third value of hardware that boots settles nothing', async () => {
    await write('25', SILENT);
    await pollAfter(2_000);
    home.clock.advance(10 * HOUR_MS);
    setByHardware({ 'Max charge current': 0 });
    await pollAfter(2_000);
    await pollAfter(40_000);
    expect(lastWrite()).toMatchObject({ outcome: 'unknown', isOpen: true });
    setByHardware({ 'Max charge current': 25 });
    await pollAfter(2_000);
    expect(lastWrite()).toMatchObject({ outcome: 'ok' });
  });

  it('readings of a while before the hardware went silent settle nothing', async () => {
    await write('25', SILENT);
    home.clock.advance(10 * MINUTE_MS);
    expect(lastWrite()).toMatchObject({ outcome: 'unknown', isOpen: true });
    await pollAfter(2_000);
    expect(lastWrite()).toMatchObject({ outcome: 'unknown', isOpen: true });
  });
});

describe('the time until which an outcome is awaited', () => {
  const after = (ms: number): string =>
    new Date(Math.ceil(ms / 1000) * 1000).toISOString().replace('.000', '');

  it.each([
    ['was not answered', SILENT, 'unknown'],
    ['was kept', KEPT, 'rejected'],
  ])('a write that %s has it in its refusal, six minutes ahead', async (_how, failure, outcome) => {
    fake.duringWrite = () => Promise.reject(failure);
    const settlesBy = after(home.clock.now() + 6 * MINUTE_MS);
    await expect(settings.set(TOPIC, '25', AUTHOR)).rejects.toMatchObject({
      message: expect.stringContaining(outcome === 'unknown' ? `, usually by ${settlesBy}` : 'kept 10'),
      fields: { outcome, settles_by: settlesBy },
    });
    expect(followUp.settlesBy(TOPIC)).toBe(settlesBy);
  });

  it('a refusal of the hardware has none', async () => {
    fake.duringWrite = () => Promise.reject(REFUSED);
    const refused = settings.set(TOPIC, '25', AUTHOR);
    await expect(refused).rejects.not.toHaveProperty('fields.settles_by');
    expect(followUp.settlesBy(TOPIC)).toBeNull();
  });

  it.each([
    ['was refused', REFUSED],
    ['was not answered', SILENT],
  ])('a write that stalls after one that %s has a time of its own in its answer', async (_how, failure) => {
    await write('25', failure);
    await pollAfter(2_000);
    await pollAfter(MINUTE_MS);
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    fake.duringWrite = () => mayEnd;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stalled = settings.set(TOPIC, '30', AUTHOR).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    const fields = { reason: 'not_in_time', settles_by: after(home.clock.now() + 6 * MINUTE_MS) };
    expect(await stalled).toMatchObject({ fields });
    end();
    vi.useRealTimers();
    await expect.poll(() => lastWrite()?.outcome, { interval: 5 }).toBe('ok');
    expect(followUp.settlesBy(TOPIC)).toBeNull();
  });

  it('the time counts from the first reading, is a day where none comes, and goes with the outcome', async () => {
    const writtenAt = home.clock.now();
    await write('25', SILENT);
    fake.failure = new LinkDown('night');
    home.clock.advance(6 * MINUTE_MS);
    expect(followUp.settlesBy(TOPIC)).toBe(after(writtenAt + 24 * HOUR_MS));
    fake.failure = undefined;
    await pollAfter(2_000);
    expect(followUp.settlesBy(TOPIC)).toBe(after(home.clock.now() + 6 * MINUTE_MS));
    setByHardware({ 'Max charge current': 25 });
    await pollAfter(2_000);
    expect(followUp.settlesBy(TOPIC)).toBeNull();
  });

  it('a write that waits for its outcome keeps its time while another one is under way', async () => {
    const writtenAt = home.clock.now();
    await write('25', SILENT);
    fake.failure = new LinkDown('night');
    home.clock.advance(6 * MINUTE_MS);
    fake.failure = undefined;
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    fake.duringWrite = () => mayEnd;
    const other = settings.set(TOPIC, '30', AUTHOR).catch((error: unknown) => error);
    const writes = new FollowedWrites(home.log, followUp);
    const values = () => writes.recent(2).map(({ newValue }) => newValue);
    await expect.poll(values, { interval: 5 }).toEqual(['30', '25']);
    expect(writes.recent(2).map(({ settlesBy }) => settlesBy)).toEqual([
      after(home.clock.now() + 6 * MINUTE_MS),
      after(writtenAt + 24 * HOUR_MS),
    ]);
    end();
    await other;
  });
});

describe('another write of the same setting', () => {
  it.each([
    ['was not answered', SILENT, 'unknown'],
    ['was refused', REFUSED, 'rejected'],
  ])('another write that %s ends the corrections of the one before', async (_how, failure, outcome) => {
    await write('25', SILENT);
    await write('30', failure);
    expect(home.log.recent(2)[1]).toMatchObject({ newValue: '25', isOpen: false });
    setByHardware({ 'Max charge current': 25 });
    await pollAfter(2_000);
    expect(outcomes()).toEqual([
      ['30', outcome],
      ['25', 'unknown'],
    ]);
  });

  it('another write that was never sent leaves the one before to be corrected', async () => {
    await write('25', SILENT);
    await write('30', new LinkDown('gone'));
    setByHardware({ 'Max charge current': 25 });
    await pollAfter(2_000);
    expect(outcomes()).toEqual([
      ['30', 'not sent'],
      ['25', 'ok'],
    ]);
  });
});

describe('a device that was killed after it sent a write', () => {
  /** A home whose process ended while a write was under way. */
  async function killedWhileWriting(): Promise<string> {
    const { folder } = home;
    fake.duringWrite = () => new Promise(() => undefined);
    void settings.set(TOPIC, '25', AUTHOR).catch(() => undefined);
    await expect.poll(() => fake.writes.length).toBe(1);
    expect(lastWrite()).toMatchObject({ newValue: '25', outcome: 'unknown' });
    followUp.stop();
    await home.stop({ keep: true });
    return folder;
  }

  async function restarted(now: MetricValue, serialNumber: MetricValue = 'A1'): Promise<void> {
    const folder = await killedWhileWriting();
    const found = { 'Max charge current': now, 'Serial number': serialNumber };
    const hardware = { ...INVERTER, values: { ...values(), ...found } };
    await start(new FakeHardware(hardware), folder);
    home.clock.advance(MINUTE_MS);
    followUp.start();
    home.start();
    await expect.poll(() => home.value(TOPIC)).toBe(now);
  }

  it('the first poll of a restarted device finds the value in force, without an alert before', async () => {
    await restarted(25);
    expect(lastWrite()).toMatchObject({ outcome: 'ok', settledAt: home.clock.now() });
    expect(reports).toEqual([[TOPIC, 'ok', '25']]);
  });

  it('the value of an inverter that took its place meanwhile confirms nothing', async () => {
    await restarted(25, 'B2');
    expect(lastWrite()).toMatchObject({ outcome: 'unknown', settledAt: null, isOpen: false });
    expect(reports).toEqual([]);
  });

  it('a value confirms nothing until the serial number of its inverter is read', async () => {
    await restarted(25, null);
    expect(lastWrite()).toMatchObject({ outcome: 'unknown', isOpen: true });
    setByHardware({ 'Serial number': 'A1' });
    await pollAfter(2_000);
    expect(lastWrite()).toMatchObject({ outcome: 'ok' });
  });

  it('a restarted device reports the unknown outcome with its first poll, and the rejection five minutes later', async () => {
    await restarted(10);
    expect(reports).toEqual([[TOPIC, 'unknown', '25']]);
    await pollAfter(5 * MINUTE_MS);
    expect(lastWrite()).toMatchObject({ outcome: 'rejected', settledAt: home.clock.now() });
    expect(reports.at(-1)).toEqual([TOPIC, 'rejected', '25']);
  });

  it('a restarted device corrects only the newest of several open entries of a setting', async () => {
    const attempt = { at: home.clock.now(), author: 'local', via: 'lan', topic: TOPIC, oldValue: '10' };
    home.log.begin({ ...attempt, newValue: '25' });
    home.log.begin({ ...attempt, newValue: '40' });
    await killedWhileWriting();
    await start(
      new FakeHardware({ ...INVERTER, values: { ...values(), 'Max charge current': 40 } }),
      home.folder,
    );
    followUp.start();
    home.start();
    await expect.poll(() => home.value(TOPIC)).toBe(40);
    expect(home.log.recent(3).map(({ newValue, outcome, isOpen }) => [newValue, outcome, isOpen])).toEqual([
      ['25', 'unknown', true],
      ['40', 'unknown', false],
      ['25', 'unknown', false],
    ]);
  });
});

describe('settings that change along with a write', () => {
  const along = () => lastWrite()?.alsoChanged;
  const soc = (number: number, oldValue: string, newValue: string) => ({
    topic: `inverter_1/program_${number}_soc`,
    oldValue,
    newValue,
  });

  it('settings that the hardware resets are named in the entry of the log, with their values', async () => {
    await write('true', undefined, 'inverter_1/use_timer');
    setByHardware({ 'Program 1 SoC': 0, 'PV power': 900 });
    await pollAfter(5_000);
    expect(along()).toEqual([soc(1, '70', '0')]);
    setByHardware({ 'Program 2 SoC': 0 });
    await pollAfter(5_000);
    expect(along()).toEqual([soc(1, '70', '0'), soc(2, '30', '0')]);
  });

  it('a setting that returned to its value is not named', async () => {
    await write('true', undefined, 'inverter_1/use_timer');
    setByHardware({ 'Program 1 SoC': 0 });
    await pollAfter(5_000);
    setByHardware({ 'Program 1 SoC': 70 });
    await pollAfter(5_000);
    expect(along()).toEqual([]);
  });

  it('settings that hardware reports as 0 while it starts again are not named', async () => {
    await write('true', undefined, 'inverter_1/use_timer');
    setByHardware({ 'Program 1 SoC': 0, 'Program 2 SoC': 0 });
    await pollAfter(10_000);
    await pollAfter(30_000);
    expect(along()).toHaveLength(2);
    setByHardware({ 'Program 1 SoC': 70 });
    await pollAfter(20_000);
    expect(along()).toEqual([soc(2, '30', '0')]);
    setByHardware({ 'Program 2 SoC': 55 });
    await pollAfter(2_000);
    expect(along()).toEqual([soc(2, '30', '0')]);
  });

  it('a setting that another write changed is not named', async () => {
    await write('true', undefined, 'inverter_1/use_timer');
    await write('40', undefined, 'inverter_1/program_1_soc');
    await pollAfter(5_000);
    expect(home.log.recent(2).map(({ alsoChanged }) => alsoChanged)).toEqual([[], []]);
  });

  it('a write before that takes effect late is not named', async () => {
    await write('40', SILENT, 'inverter_1/program_1_soc');
    await write('true', undefined, 'inverter_1/use_timer');
    setByHardware({ 'Program 1 SoC': 40 });
    await pollAfter(5_000);
    expect(home.log.recent(2).map(({ outcome, alsoChanged }) => [outcome, alsoChanged])).toEqual([
      ['ok', []],
      ['ok', []],
    ]);
  });

  it('a setting that a write resets after the hardware refused another one for it is named', async () => {
    await write('40', REFUSED, 'inverter_1/program_1_soc');
    await write('true', undefined, 'inverter_1/use_timer');
    setByHardware({ 'Program 1 SoC': 0 });
    await pollAfter(5_000);
    expect(along()).toEqual([soc(1, '70', '0')]);
  });

  it('a setting that a write resets after another write had set it is named', async () => {
    await write('40', undefined, 'inverter_1/program_1_soc');
    await write('true', undefined, 'inverter_1/use_timer');
    setByHardware({ 'Program 1 SoC': 0 });
    await pollAfter(5_000);
    expect(along()).toEqual([soc(1, '40', '0')]);
  });

  it.each([
    ['was refused', REFUSED, '25'],
    ['was never sent', new LinkDown('gone'), '25'],
    ['changes nothing', undefined, '10'],
  ])('a write that %s leaves changes to the write before', async (_how, failure, value) => {
    await write('true', undefined, 'inverter_1/use_timer');
    await write(value, failure);
    setByHardware({ 'Program 1 SoC': 0 });
    await pollAfter(5_000);
    expect(home.log.recent(2).map(({ alsoChanged }) => alsoChanged)).toEqual([[], [soc(1, '70', '0')]]);
  });

  it('a setting that changes half a minute later is not named', async () => {
    await write('true', undefined, 'inverter_1/use_timer');
    await pollAfter(31_000);
    setByHardware({ 'Program 1 SoC': 0 });
    await pollAfter(2_000);
    expect(along()).toEqual([]);
  });

  it('a change is found with the first reading of hardware that reads settings rarely', async () => {
    fake.readBefore['Program 1 SoC'] = home.clock.monotonic();
    await pollAfter(1_000);
    await write('true', undefined, 'inverter_1/use_timer');
    await pollAfter(2 * MINUTE_MS);
    setByHardware({ 'Program 1 SoC': 0 });
    fake.readBefore['Program 1 SoC'] = home.clock.monotonic();
    await pollAfter(2_000);
    expect(along()).toEqual([soc(1, '70', '0')]);
  });
});
