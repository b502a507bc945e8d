import { ApiError } from '@heliograph/client';
import { expect, it } from 'vitest';
import { isOutcomeUnknown, refusalOf } from './refusal.ts';

const refused = (message: string, fields: Readonly<Record<string, unknown>> = {}) =>
  new ApiError('http://device', 422, message, { error: message, ...fields });

it.each([
  ['inverter_1/a: the hardware took 33 instead of 35', { text: 'refusals.altered', now: '33', wanted: '35' }],
  ['inverter_1/a was not written: the hardware cannot be reached', { text: 'refusals.unreachable' }],
  ['inverter_1/a was not written: its turn on the line did not come in time', { text: 'refusals.busy' }],
  ['inverter_1/a was not written: earlier writes to the same unit take too long', { text: 'refusals.busy' }],
  [
    'inverter_1/a cannot be written: its command sets several voltages at once',
    { text: 'refusals.readOnly' },
  ],
  ['inverter_1/a: the inverter refused 50 for Max charge current', { text: 'refusals.rejected' }],
  [
    "inverter_1/a was not written: 20 writes in 24 hours are enough for the hardware's memory; the next one is possible at 2026-11-26T10:00:00.000Z",
    { text: 'refusals.tooOften', again: '2026-11-26T10:00:00.000Z' },
  ],
])('the message "%s" of an earlier version has a text', (message, refusal) => {
  expect(refusalOf(refused(message), '35')).toEqual(refusal);
});

it.each([
  [{ outcome: 'rejected', reason: 'no_permission' }, { text: 'refusals.noPermission' }],
  [
    { outcome: 'altered', reason: 'altered', value: 33 },
    { text: 'refusals.altered', now: 33, wanted: '35' },
  ],
  [
    { outcome: 'not sent', reason: 'too_often', again_at: '2026-11-26T10:00:00Z' },
    { text: 'refusals.tooOften', again: '2026-11-26T10:00:00Z' },
  ],
  [{ outcome: 'rejected', reason: 'of a later version' }, { text: 'refusals.rejected' }],
])('the fields %o have the text %o', (fields, refusal) => {
  expect(refusalOf(refused('inverter_1/a: the inverter refused 35', fields), '35')).toEqual(refusal);
});

it('the outcome in the fields decides over the message', () => {
  expect(isOutcomeUnknown(refused('sent', { outcome: 'unknown', reason: 'no_answer' }))).toBe(true);
  expect(isOutcomeUnknown(refused('sent', { outcome: 'rejected', reason: 'kept' }))).toBe(false);
});

it('a message that is not known has none', () => {
  expect(refusalOf(refused('inverter_1/a must be one of "A", "B", not "C"'), 'C')).toBeUndefined();
});

it('a write without an answer is unknown rather than refused', () => {
  const message =
    'inverter_1/a: the hardware did not answer, so whether it was written is unknown; it was not sent a second time';
  expect(isOutcomeUnknown(refused(message))).toBe(true);
});
