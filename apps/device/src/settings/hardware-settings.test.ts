import { createLogger, silentLogger, testMoment } from '@heliograph/kit';
import { type MetricValue, quantities } from '@heliograph/metrics';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeHardware } from '../../test/poll/fake-hardware.ts';
import { FakeHome } from '../../test/poll/fake-home.ts';
import { LinkDown, WriteUnanswered } from '../bus/failures.ts';
import { RejectedByHardware, type Unit } from '../drivers/driver.ts';
import type { Author } from '../storage/write-log.ts';
import { HardwareSettings, type HardwareSettingsOptions } from './hardware-settings.ts';
import { recordedSettings } from './recorded-settings.ts';
import { WriteFailure } from './write-failure.ts';
import { WriteFollowUp } from './write-follow-up.ts';

const TOPIC = 'inverter_1/max_charge_current';
const AUTHOR: Author = { name: 'user 12', via: 'proxy' };
const bounds = { min: 0, max: 100, step: 1 };
const INVERTER: Unit = {
  kind: 'inverters',
  model: 'Hybrid',
  quantities: [
    quantities.power('PV power'),
    quantities.numberSetting('Max charge current', 'A', bounds),
    quantities.switchSetting('Use timer'),
    quantities.selectSetting('Work mode', ['Zero export', 'Selling first']),
    quantities.selectSetting('Baud rate', ['9600', '19200']),
  ],
};
const values = () => ({
  'PV power': 500,
  'Max charge current': 10,
  'Use timer': false,
  'Work mode': 'Zero export',
  'Baud rate': '9600',
});

let fake: FakeHardware;
let home: FakeHome;
let settings: HardwareSettings;

const settingsOf = (options: Partial<HardwareSettingsOptions> = {}) =>
  new HardwareSettings({
    snapshots: home.snapshots,
    hardware: home.collector,
    log: home.log,
    followUp: new WriteFollowUp({ ...home, logger: silentLogger }),
    clock: home.clock,
    logger: silentLogger,
    writesPerDay: () => 100,
    ...options,
  });

const loggerInto = (lines: unknown[]) =>
  createLogger('test', 'info', { write: (line: string) => void lines.push(JSON.parse(line)) });

const outcomes = () => home.log.recent(10).map(({ newValue, outcome }) => [newValue, outcome]);

beforeEach(async () => {
  fake = new FakeHardware({ ...INVERTER, values: values() }, { ...INVERTER, values: values() });
  home = new FakeHome([async () => fake]).start();
  settings = settingsOf();
  await expect.poll(() => home.value(TOPIC)).toBe(10);
});

afterEach(() => {
  vi.useRealTimers();
  return home.stop();
});

describe('HardwareSettings.set', () => {
  it('a written setting is in the very next read, and in the log', async () => {
    await settings.set(TOPIC, '25.0', AUTHOR);
    expect(home.value(TOPIC)).toBe(25);
    expect(fake.writes).toEqual([{ unit: 0, name: 'Max charge current', value: 25 }]);
    expect(home.log.recent(10)).toEqual([
      {
        id: 1,
        at: home.clock.now(),
        author: 'user 12',
        via: 'proxy',
        topic: TOPIC,
        oldValue: '10',
        newValue: '25',
        outcome: 'ok',
        reason: null,
        settledAt: null,
        isOpen: false,
        alsoChanged: [],
        serialNumber: null,
      },
    ]);
  });

  it('a write under way at the stop is finished, and no other is accepted', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    fake.duringWrite = () => promise;
    const write = settings.set(TOPIC, '25', AUTHOR);
    await expect.poll(() => fake.writes.length).toBe(1);
    let ended = false;
    const finish = settings.finish().then(() => {
      ended = true;
    });
    await expect(settings.set(TOPIC, '30', AUTHOR)).rejects.toMatchObject({
      message: `${TOPIC} was not written: the device is just stopping, or starting again`,
      fields: { outcome: 'not sent', reason: 'stopping' },
      status: 503,
      expose: true,
    });
    expect(ended).toBe(false);
    resolve();
    await write;
    await finish;
    expect(outcomes()).toEqual([['25', 'ok']]);
  });

  it('settings with no write under way finish at once, also after one that ended', async () => {
    await settings.set(TOPIC, '25', AUTHOR);
    const later = new Promise((resolve) => setImmediate(resolve, 'later'));
    await expect(Promise.race([settings.finish().then(() => 'at once'), later])).resolves.toBe('at once');
  });

  it('the answer to a write has time to leave the house before settings are finished', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    fake.duringWrite = () => promise;
    const events: string[] = [];
    const write = settings.set(TOPIC, '25', AUTHOR).then(() => events.push('answered'));
    await expect.poll(() => fake.writes.length).toBe(1);
    const finish = settings.finish().then(() => events.push('finished'));
    resolve();
    await Promise.all([write, finish]);
    expect(events).toEqual(['answered', 'finished']);
  });

  it('a write of a setting whose value is unknown is in the log without an old value', async () => {
    const unread = new FakeHardware({ ...INVERTER, values: { 'PV power': 500 } });
    await home.stop();
    home = new FakeHome([async () => unread]).start();
    settings = settingsOf();
    await expect.poll(() => home.value('inverter_1/pv_power')).toBe(500);
    await settings.set(TOPIC, '25', AUTHOR);
    expect(home.log.recent(10)).toMatchObject([{ oldValue: null, newValue: '25', outcome: 'ok' }]);
  });

  it.each([
    ['inverter_9/max_charge_current', '25', 'inverter_9/max_charge_current is not a topic of this device'],
    ['', '25', ' is not a topic of this device'],
    ['inverter_1/*', '25', 'inverter_1/* is not a topic of this device'],
    ['inverter_1/pv_power', '25', 'inverter_1/pv_power cannot be written'],
    ['total/pv_power', '25', 'total/pv_power cannot be written'],
    ['system/site_id', '25', 'system/site_id cannot be written'],
    [TOPIC, '101', `${TOPIC} must be a number from 0 to 100 A in steps of 1, not "101"`],
  ])('%s = %s is refused before anything is sent or logged', async (topic, text, message) => {
    await expect(settings.set(topic, text, AUTHOR)).rejects.toEqual(
      expect.objectContaining({ message, status: 422 }),
    );
    expect([fake.writes, home.log.recent(10)]).toEqual([[], []]);
  });

  it('a setting that the hardware alters is refused with its value, shown and in the log', async () => {
    fake.appliesInstead = 33;
    await expect(settings.set(TOPIC, '50', AUTHOR)).rejects.toMatchObject({
      message: `${TOPIC}: the hardware took 33 instead of 50`,
      fields: { outcome: 'altered', reason: 'altered', value: 33 },
    });
    expect(home.value(TOPIC)).toBe(33);
    expect(outcomes()).toEqual([['50', 'altered']]);
  });

  it.each([
    [50.5, 'ok'],
    [49.5, 'ok'],
    [51, 'altered'],
    [49, 'altered'],
  ])('a setting with a step of 1 written as 50 and reported as %d is %s', async (now, outcome) => {
    fake.appliesInstead = now;
    const setting = settings.set(TOPIC, '50', AUTHOR);
    if (outcome === 'ok') await setting;
    else await expect(setting).rejects.toThrow(`the hardware took ${now} instead of 50`);
    expect(outcomes()).toEqual([['50', outcome]]);
  });

  it.each([
    ['True', true, 'ok'],
    ['0', false, 'ok'],
    ['1', false, 'altered'],
    ['false', true, 'altered'],
  ])('a switch written as %s and reported as %s is %s', async (text, now, outcome) => {
    fake.appliesInstead = now;
    const setting = settings.set('inverter_1/use_timer', text, AUTHOR);
    if (outcome === 'ok') await setting;
    else await expect(setting).rejects.toThrow('the hardware took');
    expect(outcomes()).toMatchObject([[expect.any(String), outcome]]);
  });

  it.each([
    ['inverter_1/work_mode', 'Selling first', 'Selling first', 'ok'],
    ['inverter_1/work_mode', 'Selling first', 'Zero export', 'altered'],
    ['inverter_1/work_mode', 'Selling first', 1, 'altered'],
    ['inverter_1/work_mode', 'Selling first', true, 'altered'],
    ['inverter_1/work_mode', 'Selling first', false, 'altered'],
    ['inverter_1/baud_rate', '19200', '19200', 'ok'],
    ['inverter_1/baud_rate', '19200', 19_200, 'altered'],
    [TOPIC, '1', true, 'altered'],
    [TOPIC, '50', false, 'altered'],
    [TOPIC, '50', '50', 'altered'],
    ['inverter_1/use_timer', 'true', 'true', 'ok'],
    ['inverter_1/use_timer', 'true', 1, 'altered'],
  ])('%s written as %s and reported as %j is %s', async (topic, text, now, outcome) => {
    fake.appliesInstead = now;
    const setting = settings.set(topic, text, AUTHOR);
    if (outcome === 'ok') await setting;
    else await expect(setting).rejects.toThrow(`the hardware took ${now} instead of ${text}`);
    expect(outcomes()).toEqual([[text, outcome]]);
  });

  it('a write is in the log as unknown before it is sent', async () => {
    fake.duringWrite = async () => expect(outcomes()).toEqual([['25', 'unknown']]);
    await settings.set(TOPIC, '25', AUTHOR);
    expect(outcomes()).toEqual([['25', 'ok']]);
  });

  it.each([
    [
      new RejectedByHardware('the unit refuses this value'),
      `${TOPIC}: the unit refuses this value`,
      'rejected',
    ],
    [new LinkDown('tcp://x: gone'), `${TOPIC} was not written: the hardware cannot be reached`, 'not sent'],
    [
      new WriteUnanswered('tcp://x: silent'),
      `${TOPIC}: the hardware did not answer, so whether it was written is unknown; it was not sent a second time, and the next readings show its value, usually by 2026-07-15T12:06:01Z`,
      'unknown',
    ],
    [
      new WriteUnanswered('tcp://x: half a frame', { reason: 'its answer was cut or damaged' }),
      `${TOPIC}: its answer was cut or damaged, so whether it was written is unknown; it was not sent a second time, and the next readings show its value, usually by 2026-07-15T12:06:01Z`,
      'unknown',
    ],
  ])('a write that fails with %s is refused and never sent again', async (failure, message, outcome) => {
    fake.duringWrite = () => Promise.reject(failure);
    const refusal = await settings.set(TOPIC, '25', AUTHOR).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ message, status: 422, expose: true });
    // Logs have the reason in the words of the hardware.
    expect(refusal instanceof Error && refusal.cause).toBe(failure);
    expect(fake.writes).toHaveLength(1);
    expect(outcomes()).toEqual([['25', outcome]]);
    expect(home.value(TOPIC)).toBe(10);
  });

  it('a write that a full disk keeps out of the log is refused unsent, with the reason', async () => {
    const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
    vi.spyOn(home.log, 'begin').mockImplementation(() => {
      throw full;
    });
    const lines: unknown[] = [];
    settings = settingsOf({ logger: loggerInto(lines) });
    await expect(settings.set(TOPIC, '25', AUTHOR)).rejects.toMatchObject({
      message: `${TOPIC} was not written: the device's log of writes cannot be written: the disk is full`,
      fields: { outcome: 'not sent', reason: 'not_logged' },
    });
    expect(fake.writes).toEqual([]);
    expect(lines).toMatchObject([
      { msg: 'a write was refused: it cannot be logged', reason: 'database or disk is full' },
    ]);
  });

  it('a write whose outcome cannot be stored is done all the same, and the failure is logged', async () => {
    vi.spyOn(home.log, 'finish').mockImplementation(() => {
      throw new Error('database or disk is full');
    });
    const lines: unknown[] = [];
    settings = settingsOf({ logger: loggerInto(lines) });
    await settings.set(TOPIC, '25', AUTHOR);
    expect([home.value(TOPIC), outcomes()]).toEqual([25, [['25', 'unknown']]]);
    expect(lines).toMatchObject([
      { msg: 'outcome of a write not stored', reason: 'database or disk is full', outcome: 'ok' },
    ]);
  });

  it('a write that fails for a fault of the program has an unknown outcome, and its error is passed on', async () => {
    const fault = new TypeError('not a function');
    fake.duringWrite = () => Promise.reject(fault);
    await expect(settings.set(TOPIC, '25', AUTHOR)).rejects.toBe(fault);
    expect(outcomes()).toEqual([['25', 'unknown']]);
  });

  it('a write over a link that is down is refused unsent', async () => {
    fake.failure = new LinkDown('cable pulled');
    const { polls } = fake;
    await expect.poll(() => fake.polls).toBeGreaterThan(polls);
    await expect(settings.set(TOPIC, '25', AUTHOR)).rejects.toThrow(`${TOPIC} was not written`);
    expect([fake.writes, outcomes()]).toEqual([[], [['25', 'not sent']]]);
  });
});

describe('HardwareSettings with several writes', () => {
  it('a write to a unit begins after the read-back of the one before, whatever the setting; other units do not wait', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    /** Each write as it is sent, and the values that were read back by then. */
    const sent: unknown[] = [];
    fake.duringWrite = () => {
      const { unit, value } = fake.writes.at(-1) ?? {};
      sent.push([unit, value, outcomes().flatMap(([written, outcome]) => (outcome === 'ok' ? written : []))]);
      return mayEnd;
    };
    const writes = [
      settings.set(TOPIC, '20', AUTHOR),
      settings.set('inverter_1/work_mode', 'Selling first', AUTHOR),
      settings.set(TOPIC, '30', AUTHOR),
      settings.set('inverter_2/max_charge_current', '40', AUTHOR),
    ];
    const concurrent = [
      [0, 20, []],
      [1, 40, []],
    ];
    await expect.poll(() => sent).toEqual(concurrent);
    end();
    await Promise.all(writes);
    expect(sent).toEqual([
      ...concurrent,
      [0, 'Selling first', expect.arrayContaining(['20'])],
      [0, 30, expect.arrayContaining(['20', 'Selling first'])],
    ]);
    expect([home.value(TOPIC), home.value('inverter_2/max_charge_current')]).toEqual([30, 40]);
  });

  it.each([
    ['sent', '25', '30'],
    ['in force already', '30', '30'],
  ])(
    'a value of another master since the last poll is the old one in the log: %s',
    async (_how, value, old) => {
      fake.keepsInForce = true;
      fake.polled = values();
      Object.assign(fake.units[0]?.values ?? {}, { 'Max charge current': 30 });
      await settings.set(TOPIC, value, AUTHOR);
      expect(home.log.recent(1)).toMatchObject([{ oldValue: old, newValue: value, outcome: 'ok' }]);
    },
  );

  it('writes are in the log with the value that each of them replaced', async () => {
    await Promise.all(['20', '30'].map((value) => settings.set(TOPIC, value, AUTHOR)));
    expect(home.log.recent(10).map(({ oldValue, newValue }) => [oldValue, newValue])).toEqual([
      ['20', '30'],
      ['10', '20'],
    ]);
  });

  it('a write goes on after one that failed', async () => {
    fake.duringWrite = async () => {
      if (fake.writes.length === 1) throw new RejectedByHardware('no');
    };
    const first = settings.set(TOPIC, '20', AUTHOR);
    const second = settings.set(TOPIC, '30', AUTHOR);
    await expect(first).rejects.toThrow(`${TOPIC}: no`);
    await second;
    expect(home.value(TOPIC)).toBe(30);
  });
});

describe('HardwareSettings with a write that takes too long', () => {
  it('a slow write is answered as unknown; one that waited behind it is never sent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    fake.duringWrite = () => mayEnd;
    const first = settings.set(TOPIC, '20', AUTHOR);
    const second = settings.set(TOPIC, '30', AUTHOR);
    const answers = Promise.all([
      expect(first).rejects.toThrow('no answer within 10 s, so whether it was written is unknown'),
      expect(second).rejects.toMatchObject({
        message: `${TOPIC} was not written: earlier writes to the same unit take too long`,
        fields: { outcome: 'not sent', reason: 'busy' },
      }),
    ]);
    await vi.advanceTimersByTimeAsync(10_000);
    await answers;
    expect(outcomes()).toEqual([['20', 'unknown']]);

    vi.useRealTimers();
    end();
    await expect.poll(() => outcomes()).toEqual([['20', 'ok']]);
    await expect.poll(() => home.value(TOPIC)).toBe(20);
    await settings.set(TOPIC, '50', AUTHOR);
    expect(fake.writes.map(({ value }) => value)).toEqual([20, 50]);
  });

  it('a write that was answered is not aborted when its time would have been over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const write = settings.set(TOPIC, '20', AUTHOR);
    await vi.advanceTimersByTimeAsync(1_000);
    await write;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fake.lastSignal?.aborted).toBe(false);
  });

  it('a write that waits for its first byte until its time is over is not sent, and never will be', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { promise: mayBeSent, resolve: goOn } = Promise.withResolvers<void>();
    fake.beforeSend = () => mayBeSent;
    const refusal = expect(settings.set(TOPIC, '20', AUTHOR)).rejects.toMatchObject({
      message: `${TOPIC} was not written: its turn on the line did not come in time`,
      fields: { outcome: 'not sent', reason: 'busy' },
    });
    await vi.advanceTimersByTimeAsync(10_000);
    await refusal;
    expect(home.log.recent(1)).toMatchObject([{ outcome: 'not sent', isOpen: false }]);
    goOn();
    vi.useRealTimers();
    fake.beforeSend = undefined;
    await settings.set(TOPIC, '30', AUTHOR);
    expect(fake.writes.map(({ value }) => value)).toEqual([30]);
  });

  it('a write that was never sent is aborted, and the answer reports that', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { promise: calledBack, reject } = Promise.withResolvers<void>();
    fake.duringWrite = () => {
      fake.lastSignal?.addEventListener('abort', () =>
        setTimeout(() => reject(new LinkDown('its time was over')), 350),
      );
      return calledBack;
    };
    const refusal = expect(settings.set(TOPIC, '20', AUTHOR)).rejects.toThrow(
      `${TOPIC} was not written: its turn on the line did not come in time`,
    );
    await vi.advanceTimersByTimeAsync(10_000);
    await refusal;
    expect(outcomes()).toEqual([['20', 'not sent']]);
  });
});

describe('the daily limit of writes', () => {
  it('a limit that is lowered while the device runs counts the writes before', async () => {
    let perDay = 3;
    settings = settingsOf({ writesPerDay: () => perDay });
    for (const value of ['20', '21']) await settings.set(TOPIC, value, AUTHOR);
    perDay = 2;
    await expect(settings.set(TOPIC, '22', AUTHOR)).rejects.toThrow('2 writes in 24 hours');
  });

  it('a unit whose connection may not be written gets nothing, with the reason', async () => {
    const refusal = ({ number }: { number: number | null }) => (number === 0 ? 'suspended' : undefined);
    settings = settingsOf({ refusal });
    await expect(settings.set(TOPIC, '20', AUTHOR)).rejects.toThrow(`${TOPIC} was not written: suspended`);
    await settings.set('inverter_2/max_charge_current', '20', AUTHOR);
    expect(fake.writes).toHaveLength(1);
  });

  it('a setting is not written more often than its daily limit, across restarts', async () => {
    settings = settingsOf({ writesPerDay: () => 3 });
    for (const value of ['20', '21', '22']) await settings.set(TOPIC, value, AUTHOR);
    settings = settingsOf({ writesPerDay: () => 3 });
    await expect(settings.set(TOPIC, '23', AUTHOR)).rejects.toThrow(
      `3 writes in 24 hours are enough for the hardware's memory; the next one is possible at 2026-07-16T12:00:01Z`,
    );
    for (const topic of ['inverter_2/max_charge_current', 'inverter_1/baud_rate'])
      await settings.set(topic, topic === 'inverter_1/baud_rate' ? '19200' : '23', AUTHOR);
    expect(fake.writes.map(({ value }) => value)).toEqual([20, 21, 22, 23, '19200']);
    home.clock.advance(24 * 60 * 60 * 1000);
    await settings.set(TOPIC, '24', AUTHOR);
    expect(home.value(TOPIC)).toBe(24);
  });

  it('programs leave a fifth of a day to people, and to setting back the value before', async () => {
    settings = settingsOf({ writesPerDay: () => 5 });
    const before = String(home.value(TOPIC));
    for (const value of ['20', '21', '22', '23']) await settings.set(TOPIC, value, AUTHOR);
    await expect(settings.set(TOPIC, '24', AUTHOR)).rejects.toThrow(
      `4 writes in 24 hours are enough for the hardware's memory, and programs leave the rest of 5 to people; the next one is possible at 2026-07-16T12:00:01Z`,
    );
    await settings.set(TOPIC, before, AUTHOR);
    expect(home.value(TOPIC)).toBe(Number(before));
    const person = { ...AUTHOR, isPerson: true };
    await expect(settings.set(TOPIC, '24', person)).rejects.toThrow('5 writes in 24 hours');
  });

  it('a program that repeats the value of before leaves a fifth to people, too', async () => {
    settings = settingsOf({ writesPerDay: () => 5 });
    const before = String(home.value(TOPIC));
    for (let n = 0; n < 4; n++) await settings.set(TOPIC, before, AUTHOR);
    await expect(settings.set(TOPIC, before, AUTHOR)).rejects.toThrow('4 writes in 24 hours');
    await settings.set(TOPIC, '24', { ...AUTHOR, isPerson: true });
    expect(home.value(TOPIC)).toBe(24);
  });

  it('a person has the writes that programs left', async () => {
    settings = settingsOf({ writesPerDay: () => 5 });
    for (const value of ['20', '21', '22', '23']) await settings.set(TOPIC, value, AUTHOR);
    await settings.set(TOPIC, '24', { ...AUTHOR, isPerson: true });
    expect(home.value(TOPIC)).toBe(24);
  });

  it('the next write is possible a day after the first of the last ones that make up the limit', async () => {
    for (const value of ['20', '21', '22']) {
      await settings.set(TOPIC, value, AUTHOR);
      home.clock.advance(60 * 60 * 1000);
    }
    settings = settingsOf({ writesPerDay: () => 2 });
    await expect(settings.set(TOPIC, '23', AUTHOR)).rejects.toThrow(
      `the next one is possible at 2026-07-16T13:00:01Z`,
    );
    home.clock.jump(testMoment('2026-07-16T13:00:00Z') - 1);
    await expect(settings.set(TOPIC, '23', AUTHOR)).rejects.toThrow('2 writes in 24 hours');
    home.clock.jump(testMoment('2026-07-16T13:00:00Z'));
    await settings.set(TOPIC, '23', AUTHOR);
    expect(home.value(TOPIC)).toBe(23);
  });

  it('the limit holds for a clock set back a little, and not for ever for one that is not set', async () => {
    settings = settingsOf({ writesPerDay: () => 1 });
    await settings.set(TOPIC, '20', AUTHOR);
    home.clock.jump(home.clock.now() - 3 * 60 * 60 * 1000);
    await expect(settings.set(TOPIC, '21', AUTHOR)).rejects.toThrow('1 writes in 24 hours');
    home.clock.jump(Date.parse('1970-01-01T00:01:00Z'));
    await settings.set(TOPIC, '21', AUTHOR);
    await expect(settings.set(TOPIC, '22', AUTHOR)).rejects.toThrow('1 writes in 24 hours');
  });

  it.each<[string, string, Error | undefined, MetricValue | undefined, MetricValue]>([
    ['was applied', 'counts', undefined, undefined, 20],
    ['was altered', 'counts', undefined, 33, 33],
    ['was rejected', 'counts', new RejectedByHardware('no'), undefined, 10],
    ['was not answered', 'counts', new WriteUnanswered('silent'), undefined, 10],
    ['failed for a fault of the program', 'counts', new TypeError('not a function'), undefined, 10],
    ['was never sent', 'does not count', new LinkDown('gone'), undefined, 21],
  ])('a write that %s %s towards the limit', async (_how, counts, failure, appliesInstead, value) => {
    settings = settingsOf({ writesPerDay: () => 1 });
    fake.duringWrite = failure && (() => Promise.reject(failure));
    fake.appliesInstead = appliesInstead;
    await Promise.allSettled([settings.set(TOPIC, '20', AUTHOR)]);
    fake.duringWrite = undefined;
    fake.appliesInstead = undefined;
    const second = settings.set(TOPIC, '21', AUTHOR);
    if (counts === 'counts') await expect(second).rejects.toThrow('1 writes in 24 hours are enough');
    else await second;
    expect(home.value(TOPIC)).toBe(value);
  });

  it('a value in force already does not count towards the limit, and is ok in the log', async () => {
    settings = settingsOf({ writesPerDay: () => 1 });
    fake.keepsInForce = true;
    for (let n = 0; n < 3; n++) await settings.set(TOPIC, '10', AUTHOR);
    expect([fake.writes, outcomes()]).toEqual([[], Array(3).fill(['10', 'ok'])]);
    await settings.set(TOPIC, '20', AUTHOR);
    await expect(settings.set(TOPIC, '21', AUTHOR)).rejects.toThrow('1 writes in 24 hours are enough');
  });

  it('a value that is refused before it is sent does not count, and is "not sent" with its reason', async () => {
    settings = settingsOf({ writesPerDay: () => 1 });
    fake.refusesUnsent = new RejectedByHardware('it has steps of 10', { reason: 'not_held' });
    await expect(settings.set(TOPIC, '25', AUTHOR)).rejects.toMatchObject({
      message: `${TOPIC}: it has steps of 10`,
      fields: { outcome: 'not sent', reason: 'not_held' },
    });
    expect(home.log.recent(1)).toMatchObject([{ outcome: 'not sent', reason: 'not_held' }]);
    fake.refusesUnsent = undefined;
    await settings.set(TOPIC, '20', AUTHOR);
    expect(home.value(TOPIC)).toBe(20);
  });

  it('a refusal for the limit has the time of the next write in its fields', async () => {
    settings = settingsOf({ writesPerDay: () => 1 });
    await settings.set(TOPIC, '20', AUTHOR);
    await expect(settings.set(TOPIC, '21', AUTHOR)).rejects.toMatchObject({
      fields: { outcome: 'not sent', reason: 'too_often', again_at: '2026-07-16T12:00:01Z' },
    });
  });
});

describe('a setting of a slave', () => {
  it('a setting of a slave is shown, not offered for writes, and refused with the reason', async () => {
    const settingsRefusal = 'the inverter is a slave of a parallel system';
    await home.stop();
    home = new FakeHome([async () => new FakeHardware({ ...INVERTER, settingsRefusal, values: values() })]);
    home.start();
    settings = settingsOf();
    await expect.poll(() => home.value(TOPIC)).toBe(10);
    expect(home.sample(TOPIC)?.definition.setting).toBeUndefined();
    await expect(settings.set(TOPIC, '20', AUTHOR)).rejects.toThrow(
      `${TOPIC} cannot be written: ${settingsRefusal}`,
    );
  });
});

describe('writes of a support recovery session', () => {
  const recovery = { sessionId: 5, userId: 9 };

  it.each([
    ['in a session and accepted', { ...AUTHOR, recovery }, '25', true],
    ['in a session and rejected by the hardware', { ...AUTHOR, recovery }, '66', false],
    ['in a session and refused unsent', { ...AUTHOR, recovery }, '101', false],
    ['without a session', AUTHOR, '25', undefined],
    ['of an author without one', { ...AUTHOR, recovery: null }, '25', undefined],
  ])('a write %s is recorded as it ended', async (_how, author, value, succeeded) => {
    if (value === '66') fake.duringWrite = () => Promise.reject(new RejectedByHardware('no'));
    const records: unknown[] = [];
    const recorded = recordedSettings(settings, (by, write) => records.push([by, write]));
    const write = recorded.set(TOPIC, value, author);
    if (succeeded === false) await expect(write).rejects.toBeInstanceOf(WriteFailure);
    else await write;
    expect(records).toEqual(succeeded === undefined ? [] : [[recovery, { topic: TOPIC, value, succeeded }]]);
    expect(home.value(TOPIC)).toBe(succeeded === false ? 10 : 25);
  });
});
