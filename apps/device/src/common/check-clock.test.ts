import { createLogger, ManualClock } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { checkClock } from './check-clock.ts';

const release = Date.parse('2026-11-20T00:00:00Z');
const last_reading = Date.parse('2026-12-01T12:00:00Z');

it.each([
  ['2026-12-01T12:00:01Z', {}],
  ['2026-12-01T11:59:30Z', {}],
  ['2026-11-25T00:00:00Z', { last_reading: '2026-12-01T12:00:00.000Z' }],
  ['2026-01-01T00:00:00Z', { release: '2026-11-20T00:00:00.000Z', last_reading: '2026-12-01T12:00:00.000Z' }],
])('a clock that shows %s at the start is compared with what has passed', (now, named) => {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line));
  const clock = new ManualClock(Date.parse(now));
  checkClock(clock, { release, last_reading }, createLogger('test', 'warn', { write }));
  const message = 'the clock is behind: let the device reach a time server, or set it';
  expect(lines).toMatchObject(Object.keys(named).length === 0 ? [] : [{ msg: message, ...named }]);
});
