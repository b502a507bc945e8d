import { expect, it } from 'vitest';
import { isOutcomeUnknown, refusalOf } from './refusal.ts';

it.each([
  ['inverter_1/a: the hardware took 33 instead of 35', { kind: 'altered', now: '33', wanted: '35' }],
  ['inverter_1/a was not written: the hardware cannot be reached', { kind: 'unreachable' }],
  ['inverter_1/a was not written: its turn on the line did not come in time', { kind: 'busy' }],
  ['inverter_1/a was not written: earlier writes to the same unit take too long', { kind: 'busy' }],
  ['inverter_1/a cannot be written: its command sets several voltages at once', { kind: 'readOnly' }],
  ['inverter_1/a: the inverter refused 50 for Max charge current', { kind: 'rejected' }],
  [
    "inverter_1/a was not written: 20 writes in 24 hours are enough for the hardware's memory; the next one is possible at 2026-11-26T10:00:00.000Z",
    { kind: 'tooOften', again: '2026-11-26T10:00:00.000Z' },
  ],
])('the message "%s" has words of its own', (message, refusal) => {
  expect(refusalOf(message)).toEqual(refusal);
});

it('a message that is not known has none', () => {
  expect(refusalOf('inverter_1/a must be one of "A", "B", not "C"')).toBeUndefined();
});

it('a write without an answer is unknown rather than refused', () => {
  const message =
    'inverter_1/a: the hardware did not answer, so whether it was written is unknown; it was not sent a second time';
  expect(isOutcomeUnknown(message)).toBe(true);
});
