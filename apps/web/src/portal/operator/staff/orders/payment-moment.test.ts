import { expect, it } from 'vitest';
import { paymentMoment, today } from './payment-moment.ts';

const NOW = new Date(2026, 10, 23, 0, 30);

it('the day of a payment is that of the reader, also shortly after midnight', () => {
  expect(today(NOW)).toBe('2026-11-23');
});

it.each([
  ['2026-11-22', new Date(2026, 10, 22, 12)],
  ['2026-11-23', undefined],
  ['', undefined],
  ['soon', undefined],
])('a payment of the day "%s" came at %s', (date, moment) => {
  expect(paymentMoment(date, NOW)).toEqual(moment);
});
