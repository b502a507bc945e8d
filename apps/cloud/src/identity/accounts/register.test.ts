import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let home: number;
let count = 0;
beforeAll(async () => {
  cloud = await startTestCloud();
  home = await cloud.make.organization();
  await cloud.make.user({ email: 'Taken@Example.org' });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const newEmail = () => `register-${++count}@example.org`;
const post = (body: unknown, from?: string) =>
  cloud.call('POST /api/v1/register', from === undefined ? { body } : { body, from });
const form = async (changes: object = {}) => ({
  email: newEmail(),
  password: PASSWORD,
  verification_token: await cloud.make.oneTimeToken('bot_check'),
  organization_id: home,
  ...changes,
});

const everyUser = () =>
  cloud.db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();

describe('POST /register', () => {
  it('a registration creates an unconfirmed account', async () => {
    const body = await form();
    const answer = await post(body);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      next_step: 'click_email_link',
      pending_token: expect.stringMatching(/^hg1_/),
      user: { email: body.email },
    });
    const { pending_token } = answer.body;
    const poll = { email: body.email, pending_token, organization_id: home };
    expect(await cloud.call('POST /api/v1/sign_in', { body: poll })).toMatchObject({
      status: 412,
      body: { pending_token },
    });
    const { token } = await cloud.mail(body.email);
    await cloud.call('POST /api/v1/user/confirm', { body: { token, organization_id: home } });
    const session = await cloud.call('POST /api/v1/sign_in', { body: poll });
    expect(session).toMatchObject({ status: 200, body: { user: { organization: { id: home } } } });
  });

  it('a registration stores the name, the phone number, the language and the accepted terms', async () => {
    const extras = { first_name: ' Grace ', last_name: 'Example', phone_number: '+1 555 010', locale: 'pt' };
    const body = await form({ ...extras, accepted_terms: true, anything: 'else' });
    expect((await post(body)).status).toBe(201);
    const { token } = await cloud.mail(body.email);
    const { body: session } = await cloud.call('POST /api/v1/user/confirm', {
      body: { token, organization_id: 'none' },
    });
    expect(session.user).toMatchObject({ ...extras, first_name: 'Grace' });
    const row = await cloud.db
      .selectFrom('users')
      .select(['terms_accepted_at', 'organization_id'])
      .where('email', '=', body.email)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ terms_accepted_at: new Date(cloud.clock.now()), organization_id: home });
  });

  it('a registration leaves an audit record', async () => {
    const body = await form();
    await post(body, '192.0.2.7');
    const event = await cloud.db
      .selectFrom('audit_events')
      .innerJoin('users', 'users.id', 'audit_events.user_id')
      .select(['action', 'address', 'audit_events.organization_id'])
      .where('email', '=', body.email)
      .execute();
    expect(event).toEqual([{ action: 'account.registered', address: '192.0.2.7', organization_id: home }]);
  });

  it('an immediate sign-in after the registration sends no second mail', async () => {
    const body = await form();
    await post(body);
    const { email, password } = body;
    const answer = await cloud.call('POST /api/v1/sign_in', {
      body: { email, password, organization_id: home },
    });
    expect(answer.status).toBe(412);
    await cloud.mail(email);
    const marker = await form();
    await post(marker);
    await cloud.mail(marker.email);
    expect(await cloud.mails(email)).toHaveLength(1);
  });

  it('concurrent registrations of one address create one account', async () => {
    const email = newEmail();
    const bodies = await Promise.all([
      form({ email }),
      form({ email: email.toUpperCase() }),
      form({ email }),
    ]);
    const answers = await Promise.all(bodies.map((body) => post(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body).toEqual({ errors: { email: ['has already been taken'] } });
  });

  const BLANK = ["can't be blank"];
  const NO_ADDRESS = ['must be one email address, such as name@example.org'];
  const NO_LANGUAGE = [expect.stringMatching(/^must be "af", .+ or "zh_TW", not "\w+"$/)];
  it.each<[string, object, Record<string, unknown>]>([
    ['no email', { email: undefined }, { email: BLANK }],
    ['an empty email', { email: '' }, { email: BLANK }],
    ['an email without a host', { email: 'ada' }, { email: NO_ADDRESS }],
    ['two emails', { email: 'a@example.org, b@example.org' }, { email: NO_ADDRESS }],
    ['an email with a name', { email: 'Ada <a@example.org>' }, { email: NO_ADDRESS }],
    ['an email of another type', { email: ['a@example.org'] }, { email: ['must be a text, not a list'] }],
    [
      'an email too long',
      { email: `${'a'.repeat(320)}@example.org` },
      { email: ['must have at most 320 characters, not 332'] },
    ],
    ['a taken email', { email: 'taken@example.org' }, { email: ['has already been taken'] }],
    ['a taken email with spaces', { email: ' taken@example.ORG ' }, { email: ['has already been taken'] }],
    ['no password', { password: undefined }, { password: BLANK }],
    ['a password too short', { password: 'Abcde-7' }, { password: ['must have at least 8 characters'] }],
    [
      'a password that breaches have',
      { password: 'Password1' },
      { password: [expect.stringMatching(/^is too easy to guess/)] },
    ],
    [
      'a password made of the name',
      { first_name: 'Grace', last_name: 'Hopper', password: 'Grace-Hopper-1906' },
      { password: [expect.stringMatching(/^is too easy to guess/)] },
    ],
    [
      'a password too long',
      { password: `Aa1${'x'.repeat(1022)}` },
      { password: ['must have at most 1024 characters, not 1025'] },
    ],
    ['a password of another type', { password: 12345678 }, { password: ['must be a text, not a number'] }],
    ['no bot check', { verification_token: undefined }, { verification_token: BLANK }],
    ['no organization', { organization_id: undefined }, { organization_id: BLANK }],
    [
      'the organization none',
      { organization_id: 'none' },
      { organization_id: ['must be a whole number, not a text'] },
    ],
    [
      'an organization that there is not',
      { organization_id: 999_999 },
      { organization_id: ['does not exist'] },
    ],
    [
      'an organization beyond every id',
      { organization_id: 2 ** 40 },
      { organization_id: ['does not exist'] },
    ],
    ['terms not accepted', { accepted_terms: false }, { accepted_terms: ['must be accepted'] }],
    ['a language that there is not', { locale: 'bg' }, { locale: NO_LANGUAGE }],
    ['a name of another type', { first_name: 7 }, { first_name: ['must be a text or null, not a number'] }],
    [
      'an address, a password, an organization and terms that rules of different kinds refuse',
      { email: 'x', password: 'short', organization_id: 999_999, accepted_terms: false },
      {
        email: NO_ADDRESS,
        password: expect.arrayContaining(['must have at least 8 characters']),
        organization_id: ['does not exist'],
        accepted_terms: ['must be accepted'],
      },
    ],
    [
      'a weak password at an organization that there is not',
      { password: 'Password1', organization_id: 999_999 },
      { password: [expect.stringMatching(/^is too easy to guess/)], organization_id: ['does not exist'] },
    ],
    [
      'several things wrong',
      { email: undefined, password: 7, locale: 'xx' },
      { email: BLANK, password: ['must be a text, not a number'], locale: NO_LANGUAGE },
    ],
  ])('a registration with %s is refused for that field', async (_what, changes, errors) => {
    const before = await everyUser();
    expect(await post(await form(changes))).toMatchObject({ status: 422, body: { errors } });
    expect(await everyUser()).toEqual(before);
  });

  it.each(['[]', '"x"', 'null', '{', ''])('a registration with the body %s answers 400', async (raw) => {
    const headers = { 'content-type': 'application/json' };
    expect((await cloud.call('POST /api/v1/register', { raw, headers })).status).toBe(400);
  });

  it('a registration requires a passed bot check and spends it', async () => {
    const body = await form();
    const refused = await post({ ...body, verification_token: 'hg1_nonsense' });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toHaveProperty('verification_token');
    expect((await post(body)).status).toBe(201);
    expect((await post({ ...body, email: newEmail() })).body.errors).toHaveProperty('verification_token');
  });

  it('an invalid registration does not spend the bot check', async () => {
    const body = await form();
    expect((await post({ ...body, password: 'weak' })).status).toBe(422);
    expect((await post({ ...body, organization_id: 999_999 })).status).toBe(422);
    expect((await post({ ...body, email: 'typo' })).status).toBe(422);
    expect((await post(body)).status).toBe(201);
  });

  it('an existing account is revealed only after a bot check', async () => {
    const verification_token = 'hg1_nonsense';
    const taken = await post(await form({ email: 'taken@example.org', verification_token }));
    const free = await post(await form({ verification_token }));
    expect(taken).toMatchObject({ status: 422, body: free.body });
  });

  it('a registration needs no bot check where the operator disables it', async () => {
    await using open = await startTestCloud({ botCheck: false });
    const organization_id = await open.make.organization();
    const body = { email: newEmail(), password: PASSWORD, verification_token: '', organization_id };
    expect((await open.call('POST /api/v1/register', { body })).status).toBe(201);
  });
});

describe('the limits of POST /register', () => {
  it('too many registrations from one network are refused, and those from another are not', async () => {
    const from = '192.0.2.10';
    const unchecked = await form({ verification_token: 'hg1_nonsense' });
    for (let n = 0; n < 31; n++) expect((await post(unchecked, from)).status).toBe(422);
    for (let n = 0; n < 30; n++) expect((await post(await form(), from)).status).toBe(201);
    const refused = await post(await form(), from);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await post(await form(), '192.0.2.11')).status).toBe(201);
  });

  it('too many registrations of one email address are refused', async () => {
    const email = 'Taken@example.org';
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await post(await form({ email }))).status);
    expect(statuses.at(0)).toBe(422);
    expect(statuses.at(-1)).toBe(429);
  });
});
