import { ApiError, ConnectionError, UnexpectedAnswer } from '@heliograph/client';
import { expect, it } from 'vitest';
import type { ControlRule } from './control-rule.ts';
import { failureOf, isInForceAfterAll, isSuperseded } from './write-state.ts';

const ORIGIN = 'http://device';
const refused = (status: number) => new ApiError(ORIGIN, status, 'the words of the device');

it.each([
  [refused(403), { state: 'notAllowed' }],
  [refused(401), { state: 'notAllowed' }],
  [refused(429), { state: 'tooMany' }],
  [refused(503), { state: 'offline' }],
  [refused(422), { state: 'refused', payload: '40', message: 'the words of the device', refusal: undefined }],
  // It may have been sent before the connection was lost.
  [refused(502), { state: 'unknown', payload: '40', refusal: undefined }],
  [refused(504), { state: 'unknown', payload: '40', refusal: undefined }],
  [refused(500), { state: 'unknown', payload: '40', refusal: undefined }],
  [new ConnectionError(ORIGIN, 'no answer'), { state: 'unknown', payload: '40', refusal: undefined }],
  [new UnexpectedAnswer(ORIGIN, 'JSON'), { state: 'unknown', payload: '40', refusal: undefined }],
])('a change that ended with %s has a state', (error, state) => {
  expect(failureOf(error, '40')).toEqual(state);
});

const NUMBER: ControlRule = { kind: 'number', min: 0, max: 100, step: 1 };

const failed = (outcome: string, reason: string, status = 422) =>
  new ApiError(ORIGIN, status, 'the message', { outcome, reason });

it.each([
  [
    failed('unknown', 'not_in_time'),
    { state: 'unknown', payload: '40', refusal: { text: 'refusals.notInTime' } },
  ],
  [failed('rejected', 'no_permission'), { state: 'refused', refusal: { text: 'refusals.noPermission' } }],
  [failed('not sent', 'stopping', 503), { state: 'refused', refusal: { text: 'refusals.busy' } }],
])('a change that failed with %o has its reason', (error, state) => {
  expect(failureOf(error, '40')).toMatchObject(state);
});

it.each([
  ['unknown', 'no_answer', 40, true],
  ['unknown', 'no_answer', 35, false],
  ['unknown', 'no_answer', null, false],
  ['rejected', 'kept', 40, true],
  ['altered', 'altered', 40, true],
  ['rejected', 'refused', 40, true],
  ['rejected', 'value_refused', 40, true],
  ['rejected', 'value_refused', 35, false],
  ['rejected', 'no_permission', 40, true],
  ['rejected', 'unsupported', 40, true],
  ['not sent', 'unreachable', 40, false],
  ['not sent', 'busy', 40, false],
])(
  'a change that ended as %s (%s) and reads %s later is in force after all: %s',
  (outcome, reason, now, isSo) => {
    expect(isInForceAfterAll(failureOf(failed(outcome, reason), '40'), NUMBER, now)).toBe(isSo);
  },
);

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
