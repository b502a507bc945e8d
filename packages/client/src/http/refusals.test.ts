import { expect, it } from 'vitest';
import { ApiError } from './errors.ts';
import {
  requiresFreshSignIn,
  requiresRegistrationCode,
  secondFactorRequired,
  writeFailureOf,
} from './refusals.ts';

const ORIGIN = 'https://cloud.example.com';

it('secondFactorRequired recognizes only a sign-in that waits for a second factor', () => {
  const body = { error: 'x', next_step: 'second_factor', pending_token: 'p1', methods: ['totp'] };
  expect(secondFactorRequired(new ApiError(ORIGIN, 412, 'x', body))).toEqual(body);
  expect(
    secondFactorRequired(new ApiError(ORIGIN, 412, 'x', { next_step: 'click_email_link' })),
  ).toBeUndefined();
  expect(secondFactorRequired(new ApiError(ORIGIN, 401, 'x', body))).toBeUndefined();
  expect(secondFactorRequired(new Error('x'))).toBeUndefined();
});

it('requiresFreshSignIn recognizes only refusals that require a fresh sign-in', () => {
  expect(requiresFreshSignIn(new ApiError(ORIGIN, 403, 'x', { next_step: 'sign_in' }))).toBe(true);
  expect(requiresFreshSignIn(new ApiError(ORIGIN, 403, 'x', {}))).toBe(false);
  expect(requiresFreshSignIn(new ApiError(ORIGIN, 401, 'x', { next_step: 'sign_in' }))).toBe(false);
});

it('requiresRegistrationCode recognizes only refusals of a device that was released', () => {
  const body = { next_step: 'registration_code' };
  expect(requiresRegistrationCode(new ApiError(ORIGIN, 422, 'x', body))).toBe(true);
  expect(requiresRegistrationCode(new ApiError(ORIGIN, 422, 'x', {}))).toBe(false);
  expect(requiresRegistrationCode(new ApiError(ORIGIN, 403, 'x', body))).toBe(false);
});

it('writeFailureOf finds outcome and reason in the refusal of a write, and nothing in others', () => {
  const body = { error: 'x', outcome: 'rejected', reason: 'no_permission' };
  expect(writeFailureOf(new ApiError(ORIGIN, 422, 'x', body))).toEqual(body);
  expect(writeFailureOf(new ApiError(ORIGIN, 422, 'x', { error: 'x' }))).toBeUndefined();
  expect(writeFailureOf(new Error('x'))).toBeUndefined();
});
