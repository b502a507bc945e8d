import { describe, expect, it } from 'vitest';
import { skippedPauses } from '../../test/drivers/skipped-pauses.ts';
import { LinkDown, WriteUnanswered, WriteWithheld } from '../bus/failures.ts';
import { ModbusException } from '../bus/modbus/modbus-bus.ts';
import { KeptByHardware, RejectedByHardware } from './driver.ts';
import { READ_BACK_AT_MS, type VerifiedWrite, writeVerified } from './write-verified.ts';

const OLD = 100;
const NEW = 60;
const KEPT = new RejectedByHardware('kept');
const LOST = new WriteUnanswered('its answer was cut');
const REFUSED = new RejectedByHardware('failed to carry out the request');

/** A setting that shows these values by the time since the write; an error is thrown. */
function setting(
  stateAt: (ms: number) => number | Error | undefined,
  more: Partial<VerifiedWrite<number | undefined>> = {},
) {
  const time = skippedPauses();
  const seen = { sent: 0, readAtMs: [] as number[] };
  const write = () =>
    writeVerified<number | undefined>({
      name: 'Limit',
      before: OLD,
      alreadyInForce: false,
      isInForce: (state) => state === NEW,
      isUnchanged: (state) => state === OLD,
      read: async () => {
        const now = time.monotonic();
        seen.readAtMs.push(now);
        const state = stateAt(now);
        if (state instanceof Error) throw state;
        return state;
      },
      rejection: () => KEPT,
      time,
      ...more,
      send: (requireTime) => {
        seen.sent += 1;
        return more.send?.(requireTime) ?? Promise.resolve(undefined);
      },
    });
  return { write, seen, time };
}

const lost = { send: () => Promise.reject(LOST) };
const refused = { send: () => Promise.resolve(REFUSED) };

describe('writeVerified', () => {
  it.each([
    ['acknowledged', {}],
    ['unanswered', lost],
    ['refused with a failure', refused],
  ])('a write that is %s and in force after five seconds is confirmed by read-backs', async (_case, more) => {
    const { write, seen } = setting((ms) => (ms < 5_000 ? OLD : NEW), more);
    expect(await write()).toBe(NEW);
    expect(seen).toEqual({ sent: 1, readAtMs: [0, 250, 500, 1_000, 2_000, 4_000, 6_000] });
  });

  it.each([
    ['acknowledged', {}, KEPT],
    ['unanswered', lost, LOST],
    ['refused with a failure', refused, REFUSED],
  ])(
    'a write that is %s and never in force is judged after the last read-back',
    async (_case, more, error) => {
      const { write, seen } = setting(() => OLD, more);
      await expect(write()).rejects.toEqual(error);
      expect(seen).toEqual({ sent: 1, readAtMs: [...READ_BACK_AT_MS] });
    },
  );

  it.each([
    ['was acknowledged', {}],
    ['failed', refused],
  ])('a rejection after read-backs of a write that %s may still be overtaken', async (_case, more) => {
    await expect(setting(() => OLD, more).write()).rejects.toBeInstanceOf(KeptByHardware);
  });

  it('a refusal of the hardware is no value that it may still take', async () => {
    const { write } = setting(() => OLD, { send: () => Promise.reject(REFUSED) });
    await expect(write()).rejects.not.toBeInstanceOf(KeptByHardware);
  });

  it.each([
    ['acknowledged', {}],
    ['unanswered', lost],
    ['refused with a failure', refused],
  ])('a value of a write that is %s and on its way is read until it is in force', async (_case, more) => {
    const { write } = setting((ms) => (ms < 3_000 ? 33 : NEW), more);
    expect(await write()).toBe(NEW);
  });

  it.each([
    ['on a fast line', 20, 999],
    ['on a line that was not measured', null, 999],
    ['on a slow line', 700, 2_799],
  ])('a write is not sent without time to read it back: %s', async (_case, roundTripMs, abortsAtMs) => {
    const signalUntil = (ms: number) => Object.assign(new AbortController().signal, { abortsAtMs: ms });
    const late = setting(() => NEW, { signal: signalUntil(abortsAtMs), roundTripMs });
    await expect(late.write()).rejects.toThrow(WriteWithheld);
    expect(late.seen).toEqual({ sent: 0, readAtMs: [] });
    const inTime = setting(() => NEW, { signal: signalUntil(abortsAtMs + 1), roundTripMs });
    expect(await inTime.write()).toBe(NEW);
  });

  it('a value that the hardware chose itself is returned after the last read-back', async () => {
    const { write, seen } = setting(() => 33, lost);
    expect(await write()).toBe(33);
    expect(seen.readAtMs).toEqual([...READ_BACK_AT_MS]);
  });

  it.each([
    ['the line is down', new LinkDown('gone')],
    ['the unit is busy', new ModbusException(6)],
    ['the setting is not reported', undefined],
  ])('the read-back goes on while %s', async (_case, failure) => {
    const { write, seen } = setting((ms) => (ms < 4_000 ? failure : NEW));
    expect(await write()).toBe(NEW);
    expect(seen.sent).toBe(1);
  });

  it.each([
    ['acknowledged', {}, /^Limit was written and could not be confirmed: gone$/],
    ['unanswered', lost, /^its answer was cut$/],
    ['refused with a failure', refused, /^Limit was written and could not be confirmed: gone$/],
  ])('a write that is %s and cannot be read back has an unknown outcome', async (_case, more, message) => {
    const { write } = setting(() => new LinkDown('gone'), more);
    await expect(write()).rejects.toThrow(WriteUnanswered);
    await expect(write()).rejects.toThrow(message);
  });

  it('a value in force is sent only while an earlier write may still come into force', async () => {
    const contested = Object.assign(new AbortController().signal, { isContested: true });
    const states = { before: NEW, alreadyInForce: true, isUnchanged: (state: unknown) => state === NEW };
    const again = setting(() => NEW, { ...states, signal: contested });
    expect([await again.write(), again.seen]).toEqual([NEW, { sent: 1, readAtMs: [0] }]);
    const once = setting(() => NEW, states);
    expect([await once.write(), once.seen]).toEqual([NEW, { sent: 0, readAtMs: [] }]);
  });

  it('a write whose caller stops waiting is read once more and then unknown', async () => {
    const caller = new AbortController();
    const { write, seen } = setting(
      (ms) => {
        if (ms === 1_000) caller.abort();
        return OLD;
      },
      { signal: caller.signal },
    );
    await expect(write()).rejects.toThrow('was not in force when the time was over');
    expect(seen.readAtMs).toEqual([0, 250, 500, 1_000, 1_000]);
  });

  it.each([
    ['a refusal', REFUSED],
    ['a line that is down before it is sent', new LinkDown('gone')],
  ])('%s is final without a read-back', async (_case, error) => {
    const { write, seen } = setting(() => NEW, { send: () => Promise.reject(error) });
    await expect(write()).rejects.toBe(error);
    expect(seen.readAtMs).toEqual([]);
  });
});
