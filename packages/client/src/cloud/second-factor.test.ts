import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CloudClient } from '../cloud-client.ts';
import { ApiError } from '../http/errors.ts';
import { closeServer, listen, readJson, sendJson } from '../testing/http.ts';
import { CloudAccounts } from './accounts.ts';
import { requiresFreshSignIn, secondFactorRequired } from './second-factor.ts';

/** Answers what it was asked; refuses as the body wants it. */
const server = createServer(async (request, response) => {
  const body = (await readJson(request)) as Record<string, unknown> | undefined;
  const expected = `${request.method} ${request.url}`;
  sendJson(response, 200, { expected, body });
});
let url: string;
let cloud: CloudClient;
beforeAll(async () => {
  url = `http://${await listen(server)}`;
  cloud = new CloudClient({ url, token: 't' });
});
afterAll(() => closeServer(server));

const passkey = { id: 'k' } as never;

it.each<[string, () => Promise<unknown>, string, object?]>([
  ['the second factors', () => cloud.secondFactors.get(), 'GET /api/v1/user/second_factor'],
  ['a secret', () => cloud.secondFactors.startApp(), 'POST /api/v1/user/second_factor/totp'],
  [
    'to add the app',
    () => cloud.secondFactors.confirmApp('123456'),
    'PUT /api/v1/user/second_factor/totp',
    { otp: '123456' },
  ],
  ['to remove the app', () => cloud.secondFactors.removeApp(), 'DELETE /api/v1/user/second_factor/totp'],
  ['what makes a passkey', () => cloud.secondFactors.startPasskey(), 'POST /api/v1/user/passkeys/options'],
  [
    'to add a passkey',
    () => cloud.secondFactors.addPasskey('Phone', passkey),
    'POST /api/v1/user/passkeys',
    { name: 'Phone', passkey: { id: 'k' } },
  ],
  ['to remove a passkey', () => cloud.secondFactors.removePasskey(7), 'DELETE /api/v1/user/passkeys/7'],
  ['recovery codes', () => cloud.secondFactors.replaceRecoveryCodes(), 'POST /api/v1/user/recovery_codes'],
  [
    'how to prove who it is',
    () => cloud.secondFactors.confirmationOptions(),
    'POST /api/v1/session/confirm/options',
  ],
  [
    'to take a password',
    () => cloud.secondFactors.confirmSession({ password: 'x' }),
    'POST /api/v1/session/confirm',
    { password: 'x' },
  ],
  [
    'what a sign-in waits for',
    () => new CloudAccounts(url).pendingSignIn('p1'),
    'POST /api/v1/sign_in/second_factor/options',
    { pending_token: 'p1' },
  ],
  [
    'to take a code for it',
    () => new CloudAccounts(url).showSecondFactor('p1', { otp: '123456' }),
    'POST /api/v1/sign_in/second_factor',
    { pending_token: 'p1', otp: '123456' },
  ],
  [
    'to sign in with the password and a code',
    () => new CloudAccounts(url).signIn({ email: 'a@b.c', password: 'x', otp: '123456' }),
    'POST /api/v1/sign_in',
    { email: 'a@b.c', organization_id: 'none', password: 'x', otp: '123456' },
  ],
  [
    'to sign in with the pending token and a code',
    () => new CloudAccounts(url).signIn({ email: 'a@b.c', pendingToken: 'p1', otp: '123456' }),
    'POST /api/v1/sign_in',
    { email: 'a@b.c', organization_id: 'none', pending_token: 'p1', otp: '123456' },
  ],
])('the client requests %s', async (_what, call, expected, body) => {
  const answer = await call();
  // Some operations answer nothing: that they resolve is enough.
  if (answer !== undefined) expect(answer).toEqual({ expected, body: body ?? {} });
});

it('secondFactorRequired recognizes only a sign-in that waits for a second factor', () => {
  const body = { error: 'x', next_step: 'second_factor', pending_token: 'p1', methods: ['totp'] };
  expect(secondFactorRequired(new ApiError(url, 412, 'x', body))).toEqual(body);
  expect(
    secondFactorRequired(new ApiError(url, 412, 'x', { next_step: 'click_email_link' })),
  ).toBeUndefined();
  expect(secondFactorRequired(new ApiError(url, 401, 'x', body))).toBeUndefined();
  expect(secondFactorRequired(new Error('x'))).toBeUndefined();
});

it('requiresFreshSignIn recognizes only refusals that require a fresh sign-in', () => {
  expect(requiresFreshSignIn(new ApiError(url, 403, 'x', { next_step: 'sign_in' }))).toBe(true);
  expect(requiresFreshSignIn(new ApiError(url, 403, 'x', {}))).toBe(false);
});
