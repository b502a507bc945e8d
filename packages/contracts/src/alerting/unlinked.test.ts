import { expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '../../test/hostile-texts.ts';
import { unlinked } from './unlinked.ts';

it.each([
  'Inverter 1: 25.3 V, 1,5 kW at 12:30',
  'F18 — grid lost (code 0x1F/2)',
  'Überspannung, 3/4 Phasen; L1.',
  'Temp. 60 °C',
])('the text %j of a device stays as it is in messages', (text) => {
  expect(unlinked(text)).toBe(text);
});

it.each(HOSTILE_TEXTS)('the text %j of a device is %j in messages', (text, expected) => {
  expect(unlinked(text)).toBe(expected);
});
