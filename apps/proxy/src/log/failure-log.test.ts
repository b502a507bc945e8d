import { createLogger } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FailureLog } from './failure-log.ts';

let lines: Record<string, unknown>[];
let log: FailureLog;
beforeEach(() => {
  lines = [];
  log = new FailureLog(
    createLogger('test', 'info', { write: (line: string) => lines.push(JSON.parse(line)) }),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('FailureLog', () => {
  test('a failure that goes on is logged each minute with the number of repetitions', () => {
    let nowMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const fail = (): void => log.logFailure('a', 'trouble', { fact: 1 }, 'failed');
    for (nowMs of [0, 1, 59_999, 60_000, 120_000]) fail();
    expect(lines.map(({ fact, repeated }) => [fact, repeated])).toEqual([
      [1, undefined],
      [1, 2],
      [1, undefined],
    ]);
  });

  test('the failure of another peer, and another failure of the same, is logged at once', () => {
    log.logFailure('a', 'trouble', {}, '1');
    log.logFailure('b', 'trouble', {}, '2');
    log.logFailure('a', 'more trouble', {}, '3');
    expect(lines.map(({ msg }) => msg)).toEqual(['1', '2', '3']);
  });

  test('the failure that was logged longest ago is forgotten beyond two thousand', () => {
    const fail = (i: number): void => log.logFailure(`uid-${i}`, 'trouble', {}, String(i));
    for (let i = 0; i < 2_000; i++) fail(i);
    fail(0);
    expect(lines).toHaveLength(2_000);
    fail(2_000);
    fail(1);
    expect(lines).toHaveLength(2_001);
    fail(0);
    expect(lines).toHaveLength(2_002);
  });
});
