import { ManualClock } from '@heliograph/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  ATTEMPT_WINDOW_MS,
  AttemptLimiter,
  MAX_FAILED_ATTEMPTS as MAX,
  MAX_FAILED_ATTEMPTS_OF_ALL as MAX_OF_ALL,
} from './attempt-limiter.ts';
import { TooManyAttempts } from './caller.ts';

const ONE = '192.0.2.1';
const OTHER = '192.0.2.2';

let clock: ManualClock;
let limiter: AttemptLimiter;
beforeEach(() => {
  clock = new ManualClock(Date.parse('2026-11-26T08:00:00.123Z'));
  limiter = new AttemptLimiter(clock);
});

const isAdmitted = (address: string): boolean => {
  try {
    limiter.check(address);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(TooManyAttempts);
    return false;
  }
};

const guess = (address: string, times: number): void => {
  for (let i = 0; i < times; i++) limiter.count(address);
};

describe('the attempts of an address', () => {
  it('are its own, and a right password gives it all of them again', () => {
    guess(ONE, MAX - 1);
    limiter.forgive(ONE);
    guess(ONE, MAX - 1);
    expect([isAdmitted(ONE), limiter.exhausted(ONE).ofAddress]).toEqual([true, false]);
    guess(ONE, 1);
    expect([isAdmitted(ONE), limiter.exhausted(ONE).ofAddress]).toEqual([false, true]);
    expect(() => limiter.count(ONE)).toThrow(TooManyAttempts);
    expect([isAdmitted(OTHER), limiter.exhausted(OTHER).ofAddress]).toEqual([true, false]);
  });

  it('return at the end of the window of the first one, and are no more than before', () => {
    guess(ONE, 1);
    clock.advance(ATTEMPT_WINDOW_MS / 2);
    guess(ONE, MAX - 1);
    clock.advance(ATTEMPT_WINDOW_MS / 2 - 1);
    expect(isAdmitted(ONE)).toBe(false);
    clock.advance(1);
    expect(isAdmitted(ONE)).toBe(true);
    guess(ONE, MAX);
    expect(isAdmitted(ONE)).toBe(false);
  });

  it('are refused with the seconds that are left', () => {
    guess(ONE, MAX);
    clock.advance(ATTEMPT_WINDOW_MS - 10_500);
    expect(() => limiter.check(ONE)).toThrow(expect.objectContaining({ retryAfterS: 11 }));
  });

  it('are not used up by one wrong password, which has as many of its own', () => {
    limiter.count(ONE);
    limiter.noteWrong(ONE, 'former');
    for (let i = 1; i < MAX; i++) expect(limiter.isRepeated(ONE, 'former')).toBe(true);
    expect(() => limiter.isRepeated(ONE, 'former')).toThrow(TooManyAttempts);
    expect([limiter.isRepeated(ONE, 'another'), limiter.isRepeated(OTHER, 'former')]).toEqual([false, false]);
    expect(isAdmitted(ONE)).toBe(true);
    limiter.forgetWrong();
    expect(limiter.isRepeated(ONE, 'former')).toBe(false);
    limiter.noteWrong(ONE, 'former');
    clock.advance(ATTEMPT_WINDOW_MS);
    expect(limiter.isRepeated(ONE, 'former')).toBe(false);
  });
});

describe('the attempts of all addresses', () => {
  /** Wrong passwords of addresses that have some left each. */
  const flood = (attempts: number): void => {
    for (let i = 0; i < attempts; i++) limiter.count(`2001:db8::${i}`);
  };

  it('admit known addresses alone once they are used up, until the window ends', () => {
    limiter.remember(ONE);
    flood(MAX_OF_ALL - 1);
    expect([isAdmitted(OTHER), limiter.exhausted(OTHER).ofAll]).toEqual([true, false]);
    guess('2001:db8::ffff', 1);
    expect([isAdmitted(ONE), isAdmitted(OTHER), limiter.exhausted(ONE).ofAll]).toEqual([true, false, true]);
    guess(ONE, MAX);
    expect(isAdmitted(ONE)).toBe(false);
    clock.advance(ATTEMPT_WINDOW_MS);
    expect([isAdmitted(ONE), isAdmitted(OTHER)]).toEqual([true, true]);
    flood(MAX_OF_ALL);
    expect(isAdmitted(OTHER)).toBe(false);
  });

  it('are one more after a right password, which makes its address known', () => {
    flood(MAX_OF_ALL - 1);
    guess(ONE, 1);
    expect(isAdmitted(OTHER)).toBe(false);
    limiter.forgive(ONE);
    expect(isAdmitted(OTHER)).toBe(true);
    guess(OTHER, 1);
    expect([isAdmitted(ONE), isAdmitted('192.0.2.3')]).toEqual([true, false]);
  });

  it('are remembered of a thousand addresses, the oldest of which is forgotten', () => {
    for (let i = 0; i <= 1_000; i++) limiter.remember(`2001:db8:1::${i}`);
    flood(MAX_OF_ALL);
    expect([0, 1, 1_000].map((i) => isAdmitted(`2001:db8:1::${i}`))).toEqual([false, true, true]);
  });
});
