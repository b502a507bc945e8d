import type { User } from '@heliograph/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../testing/factory.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const signIn = (email: string, organization_id: number | 'none') =>
  cloud.call('POST /api/v1/sign_in', { body: { email, password: PASSWORD, organization_id } });
const join = (token: string, organization_id: unknown) =>
  cloud.call('POST /api/v1/user/organizations', { token, body: { organization_id } });
const session = async (email: string) => (await signIn(email, 'none')).body.token as string;

/** The ids of other accounts that an employee of an organization finds. */
async function foundBy(employee: TestUser, q = ''): Promise<number[]> {
  const { body } = await cloud.call<User[]>(`GET /api/v1/users?q=${q}`, { token: employee.token });
  return body.map(({ id }) => id).filter((id) => id !== employee.id);
}

it.each([false, true])(
  'an account becomes the customer of an organization by its own consent (customer of another before: %s)',
  async (isCustomer) => {
    const [first, second] = [await cloud.make.organization(), await cloud.make.organization()];
    const eve = await cloud.make.user(isCustomer ? { customerOf: first } : {});
    const employee = await cloud.make.employee(second);
    expect((await signIn(eve.email, second)).status).toBe(422);
    expect(await foundBy(employee)).toEqual([]);
    const token = await session(eve.email);
    for (const _ of ['once', 'and the same again'])
      expect(await join(token, second)).toMatchObject({ status: 200, body: { id: second } });
    expect(await signIn(eve.email, second)).toMatchObject({
      status: 200,
      body: { user: { organization: { id: second } } },
    });
    expect((await signIn(eve.email, first)).status).toBe(isCustomer ? 200 : 422);
    expect(await foundBy(employee)).toEqual([eve.id]);
    expect(await foundBy(employee, eve.email.split('@')[0])).toEqual([eve.id]);
    const { body: log } = await cloud.call<{ action: string }[]>('GET /api/v1/user/audit', { token });
    expect(log.filter(({ action }) => action === 'account.changed')).toHaveLength(1);
  },
);

it('an organization that does not exist, or one too many, cannot be joined', async () => {
  const { email } = await cloud.make.user();
  const token = await session(email);
  const refused = { status: 422, body: { errors: { organization_id: [expect.any(String)] } } };
  for (const id of [0, -1, 999_999, 2 ** 31, 'none', null])
    expect(await join(token, id)).toMatchObject(refused);
  const ids = await Promise.all(Array.from({ length: 22 }, () => cloud.make.organization()));
  for (const id of ids.slice(0, 21)) expect((await join(token, id)).status).toBe(200);
  expect(await join(token, ids[21])).toMatchObject(refused);
});

it('a link to a new password is refused for an organization that the account does not belong to', async () => {
  const second = await cloud.make.organization();
  const eve = await cloud.make.user();
  const token = await cloud.make.oneTimeToken('reset', { userId: eve.id });
  const use = (organization_id: number | 'none') =>
    cloud.call(`PUT /api/v1/password/reset/${token}`, { body: { password: PASSWORD, organization_id } });
  const refusal = expect.stringMatching(/^is not one that this account belongs to/);
  expect(await use(second)).toMatchObject({ status: 422, body: { errors: { organization_id: [refusal] } } });
  expect((await use('none')).status).toBe(200);
});
