import { ManualClock, messageOf, testMoment } from '@heliograph/kit';
import type { ReadBackTime } from '../../src/drivers/write-verified.ts';
import type { WriteLogEntry } from '../../src/storage/write-log.ts';
import { SteppedDevice } from '../stepped-device.ts';
import { writesTo } from './modbus-unit.ts';
import type { SettableUnit } from './settable-unit.ts';
import type { ExpectedWrite, SettingState, WriteBehaviour } from './write-behaviours.ts';
import type { WrittenSetting } from './written-settings.ts';

/** The result of a write, everywhere that it shows. */
export interface ObservedWrite {
  /** Writes on the wire. */
  readonly sent: readonly string[];
  /** On the wire, with reads before and after. */
  readonly requests: number;
  /** `confirmed`, or the refusal. */
  readonly answer: string;
  readonly log: string;
  /** The value before, in the log. */
  readonly from: string | null;
  /** In the log; null where it names none. */
  readonly reason: string | null;
  /** The outcome in the log once readings have shown the truth. */
  readonly later: string;
  /** Details of the open alerts about it. */
  readonly alerts: readonly string[];
  readonly reading: string;
}

interface Answered<Setting> extends Pick<ObservedWrite, 'sent' | 'requests' | 'answer'> {
  readonly setting: Setting;
  readonly entry: WriteLogEntry | undefined;
}

const NOON = testMoment('2026-06-21T12:00:00Z');

/** Readings after this end what is unknown, in milliseconds. */
const SETTLES_AFTER_MS = 6 * 60_000;

const OWNER = { name: 'local', via: 'lan', isPerson: true } as const;

export interface ObservedDeviceOptions<Setting extends WrittenSetting> {
  readonly start: (clock: ManualClock) => Promise<SettableUnit<Setting>>;
  readonly intervalMs?: number;
  /** Polls until a setting was certainly read again; 1 when left out. */
  readonly polls?: number;
  /** Whether a poll reads the old value before a write; true when left out. The write reads it once more in any case. */
  readonly pollsBefore?: boolean;
  /** For a write, in milliseconds; that of the product when left out. */
  readonly deadlineMs?: number;
}

interface Timing {
  readonly clock: ManualClock;
  readonly polls: number;
  readonly pollsBefore: boolean;
}

/** A device with one piece of hardware, in a time that polls and pauses advance. */
export class ObservedDevice<Setting extends WrittenSetting> {
  readonly #unit: SettableUnit<Setting>;
  readonly #device: SteppedDevice;
  readonly #clock: ManualClock;
  readonly #polls: number;
  readonly #pollsBefore: boolean;
  /** The last reading of each setting. */
  readonly #readings = new Map<Setting, string>();

  private constructor(
    unit: SettableUnit<Setting>,
    device: SteppedDevice,
    { clock, polls, pollsBefore }: Timing,
  ) {
    this.#unit = unit;
    this.#device = device;
    this.#clock = clock;
    this.#polls = polls;
    this.#pollsBefore = pollsBefore;
  }

  static async start<Setting extends WrittenSetting>({
    start,
    intervalMs = 10_000,
    polls = 1,
    pollsBefore = true,
    deadlineMs,
  }: ObservedDeviceOptions<Setting>): Promise<ObservedDevice<Setting>> {
    const clock = new ManualClock(NOON);
    const time: ReadBackTime = {
      monotonic: () => clock.monotonic(),
      pause: async (ms) => clock.advance(ms),
    };
    const unit = await start(clock);
    const device = new SteppedDevice(
      {
        open: () => unit.open(clock, time),
        clock,
        intervalMs,
        timeZone: 'Europe/Berlin',
        passed: { release: NOON, last_reading: NOON },
        freeStorageMb: () => 5_000,
        history: () => 'Recording',
        ...(deadlineMs !== undefined && { deadlineMs }),
      },
      () => undefined,
    );
    await device.start();
    return new ObservedDevice(unit, device, { clock, polls, pollsBefore });
  }

  /** The kinds of its settings: number, option, switch, time. */
  get kinds(): ReadonlySet<string> {
    const { samples } = this.#device.snapshots.current;
    return new Set([...samples.keys()].flatMap((topic) => this.kindOf(topic) ?? []));
  }

  /** Undefined for what is not a setting. */
  kindOf(topic: string): string | undefined {
    const rule = this.#device.snapshots.current.samples.get(topic)?.definition.setting;
    if (rule?.kind !== 'select') return rule?.kind;
    return rule.options.includes('00:00:00') ? 'time' : 'option';
  }

  /**
   * Writes settings that are in different registers, one after the other, between the same polls.
   *
   * @returns in the order of the settings
   */
  async write(settings: readonly Setting[], behaviour: WriteBehaviour): Promise<readonly ObservedWrite[]> {
    for (const setting of settings) await this.#unit.reset(setting);
    const read = settings.map((setting) => this.#readings.get(setting));
    const isOld = settings.every(({ values }, at) => read[at] === values.old);
    if (read.includes(undefined) || (this.#pollsBefore && !isOld)) await this.#poll();
    const answered: Answered<Setting>[] = [];
    for (const setting of settings) answered.push(await this.#writeOne(setting, behaviour));
    await this.#poll();
    const { samples } = this.#device.snapshots.current;
    const alerts = this.#device.alerts.open().filter(({ rule }) => rule === 'write_failed');
    for (const { setting } of answered)
      this.#readings.set(setting, String(samples.get(setting.topic)?.value));
    const entries = (): ReadonlyMap<number, WriteLogEntry> =>
      new Map(this.#device.writes.recent(settings.length).map((entry) => [entry.id, entry]));
    let later = entries();
    if ([...later.values()].some(({ outcome }) => outcome === 'unknown')) {
      this.#clock.advance(SETTLES_AFTER_MS);
      await this.#poll();
      later = entries();
    }
    return answered.map(({ setting, entry, ...answer }) => ({
      ...answer,
      log: entry?.outcome ?? 'none',
      from: entry?.oldValue ?? null,
      reason: entry?.reason ?? null,
      alerts: alerts.flatMap(({ topic, detail }) => (topic === setting.topic ? [detail ?? ''] : [])),
      reading: String(samples.get(setting.topic)?.value),
      later: later.get(entry?.id ?? -1)?.outcome ?? 'none',
    }));
  }

  async #writeOne(setting: Setting, behaviour: WriteBehaviour): Promise<Answered<Setting>> {
    this.#unit.takeRequests();
    this.#unit.behave(setting, behaviour);
    const answer = await this.#device.settings
      .set(setting.topic, setting.values[behaviour.wants], OWNER)
      .then(
        () => 'confirmed',
        (error: unknown) => messageOf(error),
      );
    const { count: requests, writes: sent } = this.#unit.takeRequests();
    const [entry] = this.#device.writes.recent(1);
    return { setting, answer, requests, sent, entry };
  }

  /** Writes all values at the same time. @returns of each the answer, and its outcome in the log, in the order of the values */
  async writeConcurrently(
    setting: Setting,
    values: readonly string[],
    behaviour: WriteBehaviour,
  ): Promise<readonly { readonly answer: string; readonly log: string }[]> {
    await this.#unit.reset(setting);
    await this.#poll();
    this.#unit.behave(setting, behaviour);
    const write = (value: string): Promise<string> =>
      this.#device.settings.set(setting.topic, value, OWNER).then(() => 'confirmed', messageOf);
    const answers = await Promise.all(values.map(write));
    const entries = this.#device.writes.recent(values.length).toReversed();
    return answers.map((answer, at) => ({ answer, log: entries[at]?.outcome ?? 'none' }));
  }

  async stop(): Promise<void> {
    await this.#device.stop();
    await this.#unit.stop();
  }

  async #poll(): Promise<void> {
    for (let poll = 0; poll < this.#polls; poll++) await this.#device.step();
  }
}

/** The expected result of a write, with a part of the answer. */
export function expectedWrite(
  { values, frame: newFrame, oldFrame = '' }: WrittenSetting,
  { wants, knows }: Pick<WriteBehaviour, 'wants' | 'knows'>,
  expected: ExpectedWrite,
): Omit<ObservedWrite, 'requests'> {
  const { old, other = '' } = values;
  const { later = expected.log === 'unknown' ? 'rejected' : expected.log } = expected;
  const frame = wants === 'old' ? oldFrame : newFrame;
  const texts: Readonly<Record<SettingState, string>> = { old, new: values[wants], other };
  return {
    sent: expected.sent === 0 ? [] : knows === undefined ? [frame] : writesTo(frame, knows),
    answer: expected.answer
      .replaceAll('OLD', old)
      .replaceAll('NEW', values[wants])
      .replaceAll('OTHER', other),
    log: expected.log,
    from: texts[expected.from ?? 'old'],
    reason: expected.reason,
    later,
    alerts: expected.log === 'not sent' || later === 'ok' ? [] : [expected.log],
    reading: texts[expected.reading],
  };
}
