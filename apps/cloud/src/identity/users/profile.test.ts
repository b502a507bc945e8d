import { UNSEEN_CHARACTERS } from '@heliograph/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const BEFORE = { first_name: 'Ada', last_name: 'Example', phone_number: '+44 20 7946 0018' };
const NOT_HERE = ['is not accepted here'];
const tooLong = (limit: number) => [`must have at most ${limit} characters, not ${limit + 1}`];
const NO_TEXT = ['must be a text, not a number'];

let ada: TestUser;
let session: string;
beforeEach(async () => {
  ada = await cloud.make.user({ phoneNumber: BEFORE.phone_number });
  session = await cloud.make.token(ada.id, { kind: 'session' });
});

const patch = (body: unknown, token = session) =>
  cloud.call('PATCH /api/v1/user/profile', { token, body, from: '203.0.113.9' });
const profile = async () => (await cloud.call('GET /api/v1/user', { token: ada.token })).body;
const events = () =>
  cloud.db
    .selectFrom('audit_events')
    .select(['action', 'actor_id', 'user_id', 'organization_id', 'via', 'address', 'details'])
    .where('user_id', '=', ada.id)
    .where('action', 'in', ['account.renamed', 'account.changed'])
    .orderBy('id')
    .execute();

describe('PATCH /user/profile', () => {
  it.each([
    ['the first name', { first_name: 'Augusta' }, { first_name: 'Augusta' }],
    ['the last name', { last_name: 'King' }, { last_name: 'King' }],
    ['the phone number', { phone_number: '030 1234' }, { phone_number: '030 1234' }],
    ['no phone number', { phone_number: null }, { phone_number: null }],
    ['a phone number of spaces', { phone_number: '  ' }, { phone_number: null }],
    ['a name with spaces around it', { first_name: ' Augusta  ' }, { first_name: 'Augusta' }],
    ['an empty name', { first_name: '', last_name: ' ' }, { first_name: '', last_name: '' }],
    ['names at the limit', { first_name: 'x'.repeat(255) }, { first_name: 'x'.repeat(255) }],
    ['a name of another script', { last_name: 'Ле́бедева-Øst' }, { last_name: 'Ле́бедева-Øst' }],
    ['nothing', {}, {}],
  ])('a change to %s leaves the other fields as they were', async (_what, body, changed) => {
    const answer = await patch(body);
    expect(answer).toMatchObject({ status: 200, body: { id: ada.id, ...BEFORE, ...changed } });
    expect(await profile()).toEqual(answer.body);
  });

  it.each([
    ['a first name too long', { first_name: 'x'.repeat(256) }, { first_name: tooLong(255) }],
    ['a last name too long', { last_name: 'x'.repeat(256) }, { last_name: tooLong(255) }],
    ['a phone number too long', { phone_number: '1'.repeat(51) }, { phone_number: tooLong(50) }],
    ['a name of another type', { first_name: 7 }, { first_name: NO_TEXT }],
    ['the name null', { last_name: null }, { last_name: ["can't be blank"] }],
    ['a name of two lines', { last_name: 'King\nof' }, { last_name: [UNSEEN_CHARACTERS] }],
    ['a name written backwards', { first_name: '\u202Eada' }, { first_name: [UNSEEN_CHARACTERS] }],
    ['an email address', { first_name: 'Eve', email: 'eve@example.org' }, { email: NOT_HERE }],
    ['a role in the service', { staff: true }, { staff: NOT_HERE }],
    [
      'several things wrong',
      { first_name: [], phone_number: 7 },
      { first_name: ['must be a text, not a list'], phone_number: ['must be a text or null, not a number'] },
    ],
  ])('a profile with %s is refused for that field', async (_what, body, errors) => {
    expect(await patch(body)).toMatchObject({ status: 422, body: { errors } });
    expect(await profile()).toMatchObject(BEFORE);
    expect(await events()).toEqual([]);
  });

  it.each(['[]', '"x"', 'null', '{', ''])('a profile with the body %s answers 400', async (raw) => {
    const headers = { 'content-type': 'application/json' };
    const call = { token: session, raw, headers };
    expect((await cloud.call('PATCH /api/v1/user/profile', call)).status).toBe(400);
  });

  it.each(['api', 'oauth'] as const)('a token of the kind %s does not change the name', async (kind) => {
    const token = await cloud.make.token(ada.id, { kind });
    expect((await patch({ first_name: 'Eve' }, token)).status).toBe(403);
    expect(await profile()).toMatchObject(BEFORE);
  });

  it('a session names its organization in the answer and in the record', async () => {
    const organizationId = await cloud.make.organization(ada.id);
    const token = await cloud.make.token(ada.id, { kind: 'session', organizationId });
    const { body } = await patch({ first_name: 'Augusta' }, token);
    expect(body.organization).toMatchObject({ id: organizationId });
    expect(await events()).toMatchObject([
      { action: 'account.renamed', organization_id: organizationId, user_id: ada.id },
    ]);
  });

  it('a new name and a new phone number are recorded with the former ones, and no change is not', async () => {
    await patch({ first_name: 'Augusta', last_name: 'Example', phone_number: null });
    await patch({ first_name: 'Augusta ', phone_number: '' });
    const by = { actor_id: ada.id, user_id: ada.id, via: 'api', address: '203.0.113.9' };
    expect(await events()).toEqual([
      {
        ...by,
        organization_id: null,
        action: 'account.renamed',
        details: { first_name: { from: 'Ada', to: 'Augusta' } },
      },
      {
        ...by,
        organization_id: null,
        action: 'account.changed',
        details: { phone_number: { from: BEFORE.phone_number, to: null } },
      },
    ]);
  });

  it('changes of different fields at the same moment are both kept', async () => {
    await Promise.all([patch({ first_name: 'Augusta' }), patch({ last_name: 'King' })]);
    expect(await profile()).toMatchObject({ first_name: 'Augusta', last_name: 'King' });
  });

  it('the directory finds a person by the new name alone', async () => {
    const staff = await cloud.make.user({ staff: true });
    const token = await cloud.make.token(staff.id, { kind: 'session' });
    await patch({ first_name: 'Zephyrine', last_name: 'Quux' });
    const found = async (q: string) =>
      (await cloud.call<{ id: number }[]>(`GET /api/v1/users?q=${q}`, { token })).body.map(({ id }) => id);
    expect(await found('zephyrine%20quux')).toEqual([ada.id]);
    expect(await found(`${ada.id}%20ada`)).not.toContain(ada.id);
  });
});
