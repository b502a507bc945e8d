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

const countAttempts = (address: string, times: number): void => {
  for (let i = 0; i < times; i++) limiter.count(address);
};

describe('the attempts of an address', () => {
  it('an address has attempts of its own, and a right password gives it all of them again', () => {
    countAttempts(ONE, MAX - 1);
    limiter.forgive(ONE);
    countAttempts(ONE, MAX - 1);
    expect([isAdmitted(ONE), limiter.exhausted(ONE).ofAddress]).toEqual([true, false]);
    countAttempts(ONE, 1);
    expect([isAdmitted(ONE), limiter.exhausted(ONE).ofAddress]).toEqual([false, true]);
    expect(() => limiter.count(ONE)).toThrow(TooManyAttempts);
    expect([isAdmitted(OTHER), limiter.exhausted(OTHER).ofAddress]).toEqual([true, false]);
  });

  it('the attempts return at the end of the window of the first one, and are no more than before', () => {
    countAttempts(ONE, 1);
    clock.advance(ATTEMPT_WINDOW_MS / 2);
    countAttempts(ONE, MAX - 1);
    clock.advance(ATTEMPT_WINDOW_MS / 2 - 1);
    expect(isAdmitted(ONE)).toBe(false);
    clock.advance(1);
    expect(isAdmitted(ONE)).toBe(true);
    countAttempts(ONE, MAX);
    expect(isAdmitted(ONE)).toBe(false);
  });

  it('a refusal names the seconds that are left', () => {
    countAttempts(ONE, MAX);
    clock.advance(ATTEMPT_WINDOW_MS - 10_500);
    expect(() => limiter.check(ONE)).toThrow(expect.objectContaining({ retryAfterS: 11 }));
  });

  it('one wrong password that is repeated uses up its own attempts alone', () => {
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

  it('known addresses alone are admitted once all attempts are used up, until the window ends', () => {
    limiter.remember(ONE);
    flood(MAX_OF_ALL - 1);
    expect([isAdmitted(OTHER), limiter.exhausted(OTHER).ofAll]).toEqual([true, false]);
    countAttempts('2001:db8::ffff', 1);
    expect([isAdmitted(ONE), isAdmitted(OTHER), limiter.exhausted(ONE).ofAll]).toEqual([true, false, true]);
    countAttempts(ONE, MAX);
    expect(isAdmitted(ONE)).toBe(false);
    clock.advance(ATTEMPT_WINDOW_MS);
    expect([isAdmitted(ONE), isAdmitted(OTHER)]).toEqual([true, true]);
    flood(MAX_OF_ALL);
    expect(isAdmitted(OTHER)).toBe(false);
  });

  it('a right password gives back its attempt, and makes its address known', () => {
    flood(MAX_OF_ALL - 1);
    countAttempts(ONE, 1);
    expect(isAdmitted(OTHER)).toBe(false);
    limiter.forgive(ONE);
    expect(isAdmitted(OTHER)).toBe(true);
    countAttempts(OTHER, 1);
    expect([isAdmitted(ONE), isAdmitted('192.0.2.3')]).toEqual([true, false]);
  });

  it('a thousand addresses are known, and the oldest of more is forgotten', () => {
    for (let i = 0; i <= 1_000; i++) limiter.remember(`2001:db8:1::${i}`);
    flood(MAX_OF_ALL);
    expect([0, 1, 1_000].map((i) => isAdmitted(`2001:db8:1::${i}`))).toEqual([false, true, true]);
  });
});
