import { duplexPair } from 'node:stream';
import { COMMAND, encodeHex, registerFrame } from '@heliograph/device/victron';
import { ManualClock } from '@heliograph/kit';
import { afterEach, describe, expect, test } from 'vitest';
import { simulatedHome } from '../physics/simulated-home.ts';
import { solarCharger, solarChargerLine } from './solar-charger.ts';

const NOON = Date.UTC(2026, 5, 21, 12);
const HOUR_MS = 3_600_000;

const running: (() => void)[] = [];
afterEach(() => {
  for (const stop of running.splice(0)) stop();
});

/** Sends a frame to a charger that sends no text meanwhile, and waits for the answer. */
async function send(bytes: Uint8Array | string): Promise<string> {
  const [near, far] = duplexPair();
  running.push(solarChargerLine(simulatedHome(new ManualClock(NOON)), { everyMs: HOUR_MS })(far));
  near.write(bytes);
  const [answer] = await near.take(1).toArray();
  return Buffer.from(answer).toString('latin1');
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

describe('the HEX answers of a simulated solar charger', () => {
  test.each([
    ['a ping with its version', ':154\n', ':51641F9\n'],
    ['who it is', ':451\n', text(encodeHex(COMMAND.done, [0x50, 0xa0]))],
    ['a register that there is not', ':777770060\n', ':77777015F\n'],
    ['a broken frame', ':155\n', ':4AAAAFD\n'],
    ['a command that there is not', text(encodeHex(2)), text(encodeHex(3, [2]))],
    ['a request behind noise', 'xyz:\n\r:154\n', ':51641F9\n'],
    [
      'a write to what cannot be written',
      text(registerFrame(COMMAND.set, 0xeddf, 0, [1, 0])),
      text(registerFrame(COMMAND.set, 0xeddf, 2, [1, 0])),
    ],
    [
      'a value of the wrong size',
      text(registerFrame(COMMAND.set, 0xedf0, 0, [1])),
      text(registerFrame(COMMAND.set, 0xedf0, 4, [1])),
    ],
    [
      'more current than it has',
      text(registerFrame(COMMAND.set, 0xedf0, 0, [0xf2, 0x03])),
      text(registerFrame(COMMAND.set, 0xedf0, 4, [0xf2, 0x03])),
    ],
  ])('%s', async (_what, request, answer) => {
    expect(await send(request)).toBe(answer);
  });
});

test('the days of a solar charger begin at midnight, and yesterday stays known', () => {
  const clock = new ManualClock(NOON);
  const charger = solarCharger(simulatedHome(clock));
  const number = (label: string): number => Number(charger.blocks()[0]?.get(label));
  expect(number('H20')).toBe(0);
  for (let hour = 0; hour < 11; hour++) {
    clock.advance(HOUR_MS);
    charger.blocks();
  }
  const today = number('H20');
  expect(today).toBeGreaterThan(300);
  expect(number('PPV')).toBe(0);
  expect(charger.blocks()[0]?.get('OR')).toBe('0x00000001');
  clock.advance(2 * HOUR_MS);
  expect(number('H20')).toBe(0);
  expect(number('H22')).toBe(today);
  expect(number('H23')).toBeGreaterThan(1000);
});
