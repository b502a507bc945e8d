import { ApiError, ConnectionError, UnexpectedAnswer } from '@heliograph/client';
import { expect, it } from 'vitest';
import type { ControlRule } from './control-rule.ts';
import { failureOf, isSuperseded } from './write-state.ts';

const ORIGIN = 'http://device';
const refused = (status: number) => new ApiError(ORIGIN, status, 'the words of the device');

it.each([
  [refused(403), { state: 'notAllowed' }],
  [refused(401), { state: 'notAllowed' }],
  [refused(429), { state: 'tooMany' }],
  [refused(503), { state: 'offline' }],
  [refused(422), { state: 'refused', message: 'the words of the device' }],
  // It may have been sent before the connection was lost.
  [refused(502), { state: 'unknown' }],
  [refused(504), { state: 'unknown' }],
  [refused(500), { state: 'unknown' }],
  [new ConnectionError(ORIGIN, 'no answer'), { state: 'unknown' }],
  [new UnexpectedAnswer(ORIGIN, 'JSON'), { state: 'unknown' }],
])('a change that ended with %s has a state', (error, state) => {
  expect(failureOf(error)).toEqual(state);
});

const NUMBER: ControlRule = { kind: 'number', min: 0, max: 100, step: 1 };
const SWITCH: ControlRule = { kind: 'switch', on: 'ON', off: 'OFF' };

it.each<[rule: ControlRule, payload: string, now: number | boolean | string | null, boolean]>([
  [NUMBER, '40', 40, false],
  [NUMBER, '40', 35, true],
  // The outcome is unknown.
  [NUMBER, '40', null, false],
  [SWITCH, 'ON', true, false],
  [SWITCH, 'ON', 'on', false],
  [SWITCH, 'ON', false, true],
])('a setting %o that was set to %s and is %s now may be superseded', (rule, payload, now, isSo) => {
  expect(isSuperseded({ state: 'done', payload }, rule, now)).toBe(isSo);
  expect(isSuperseded({ state: 'sending' }, rule, now)).toBe(false);
});
