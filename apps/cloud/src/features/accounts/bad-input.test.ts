import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD } from '../../testing/factory.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
  await cloud.make.organization();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const HOSTILE: readonly unknown[] = [
  '',
  ' ',
  'a\0b',
  '\ud800',
  '𝔘@𝔘',
  "'; drop table users; --@x",
  '<script>alert(1)</script>@x',
  'a@example.org\r\nBcc: b@example.org',
  '../../etc/passwd',
  'x'.repeat(10_000),
  `${'x'.repeat(400)}@example.org`,
  0,
  -1,
  1.5,
  1e300,
  2 ** 31,
  true,
  null,
  [],
  {},
  [[]],
  { toString: 1 },
];

const organization_id = 'none';
const verification_token = 'hg1_nonsense';
const ROUTES: Readonly<Record<string, object>> = {
  'POST /api/v1/sign_in': { email: 'a@example.org', organization_id, pending_token: 'hg1_nonsense' },
  'POST /api/v1/sign_in?handed-over': { session_token: 'hg1_nonsense' },
  'POST /api/v1/register': {
    email: 'a@example.org',
    password: PASSWORD,
    verification_token,
    organization_id: 1,
    first_name: 'A',
    last_name: 'B',
    phone_number: '1',
    accepted_terms: true,
    locale: 'en',
  },
  'POST /api/v1/user/confirm': { token: 'hg1_nonsense', organization_id },
  'POST /api/v1/password/reset': { email: 'a@example.org', verification_token, organization_id },
  'PUT /api/v1/password/reset/hg1_nonsense': {
    password: PASSWORD,
    password_confirmation: PASSWORD,
    organization_id,
  },
  'PUT /api/v1/password/set/hg1_nonsense': { password: PASSWORD, accepted_terms: true, organization_id },
};
const cases = Object.entries(ROUTES).flatMap(([route, body]) =>
  Object.keys(body).map((field) => [route, field, body] as const),
);

it.each(cases)('%s with any value for %s is refused, and never with 500', async (route, field, body) => {
  const answers = await Promise.all(
    HOSTILE.map((value) => cloud.call(route, { body: { ...body, [field]: value } })),
  );
  const seen = answers.map(({ status, body: answer }, i) => ({ value: HOSTILE[i], status, answer }));
  expect(seen.filter(({ status }) => ![400, 401, 422].includes(status))).toEqual([]);
  expect(answers.filter((answer) => !('error' in answer.body || 'errors' in answer.body))).toEqual([]);
});

it.each(['x'.repeat(10_000), '%00', '%20', '..%2F..', '%F0%9F%98%80', "';--"])(
  'PUT password/reset/%.20s is no link',
  async (token) => {
    const body = { password: PASSWORD, organization_id };
    const { status } = await cloud.call(`PUT /api/v1/password/reset/${token}`, { body });
    expect([400, 404, 422]).toContain(status);
  },
);
