import { expect, it } from 'vitest';
import { feedsIn } from './inverter.ts';

const STATUS = '230 50 230 50 0 0 0 400 52.0 0 50 40 0 0 0 0 00010000 00 00 00241 010';

it.each([
  ['the flag', { QFLAG: 'EdDaj' }, true],
  ['the flag, when it is off', { QFLAG: 'EaDdj' }, false],
  ['the flag before the status', { QFLAG: 'EaDdj', QPIGS: `${STATUS} 1 00 000` }, false],
  ['the status, where there is no flag', { QFLAG: 'EaDj', QPIGS: `${STATUS} 1 00 000` }, true],
  ['neither', { QFLAG: 'EaDj', QPIGS: STATUS }, undefined],
])('the grid feed of PV is read from %s', (_name, answers, expected) => {
  const fields = Object.entries(answers).map(([command, text]) => [command, text.split(' ')] as const);
  expect(feedsIn(new Map(fields))).toBe(expected);
});
