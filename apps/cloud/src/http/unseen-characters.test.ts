import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

let cloud: TestCloud;
let staff: TestUser;
let owner: TestUser;
let organizationId: number;
let siteId: number;
beforeAll(async () => {
  cloud = await startTestCloud({ deviceActivation: 'manual' });
  [staff, owner] = [await cloud.make.user({ staff: true }), await cloud.make.user()];
  organizationId = await cloud.make.organization();
  siteId = (await cloud.make.site({ ownerId: owner.id })).id;
  await cloud.announce('us-1');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const UNSEEN = [
  'A\r\nBcc: x@evil',
  'A\0B',
  'A\u009bB',
  '\u202eevil',
  'A\u200bB',
  'A\u2028B',
  'A\ufeff',
  'A\u2066B',
];

describe('validation of invisible characters', () => {
  const inviteOf = () => ({ email: 'new@example.org', role: 'member', last_name: 'B' });
  const cases: readonly (readonly [string, () => [string, Record<string, unknown>], string])[] = [
    [
      'the name of who registers',
      () => [
        'POST /api/v1/register',
        {
          email: 'r@example.org',
          password: 'Correct-horse-7',
          verification_token: 'x',
          organization_id: organizationId,
        },
      ],
      'first_name',
    ],
    ['the name of who is invited', () => [`POST /api/v1/sites/${siteId}/users`, inviteOf()], 'first_name'],
    [
      'the name of an employee',
      () => [`POST /api/v1/organizations/${organizationId}/users`, inviteOf()],
      'first_name',
    ],
    ['the name of an organization', () => ['POST /api/v1/organizations', {}], 'name'],
    ['another name of it', () => [`PATCH /api/v1/organizations/${organizationId}`, {}], 'name'],
    [
      'the name of an application',
      () => [`POST /api/v1/organizations/${organizationId}/applications`, {}],
      'name',
    ],
    ['the name of a token', () => ['POST /api/v1/user/tokens', { scopes: ['sites:read_all'] }], 'name'],
    ['a description', () => [`PATCH /api/v1/sites/${siteId}`, {}], 'description'],
    ['the description of a new site', () => ['POST /api/v1/sites/register', { uid: 'x' }], 'description'],
    ['a message', () => ['POST /api/v1/sites/request_activation', { uid: 'x' }], 'message'],
  ];

  it.each(cases)('invisible characters are refused in %s', async (_what, call, field) => {
    const isMultiline = field === 'description' || field === 'message';
    const session = await cloud.make.token(staff.id, { kind: 'session' });
    for (const text of [...UNSEEN, ...(isMultiline ? [] : ['A\nB'])]) {
      const [route, body] = call();
      // A NUL is nothing that can be stored, and refused before anything else.
      const [status, answer] = text.includes('\0')
        ? [400, { error: expect.anything() }]
        : [422, { errors: { [field]: ['must not have control characters or others that are not seen'] } }];
      const token = route.includes('/tokens') ? session : staff.token;
      expect(await cloud.call(route, { token, body: { ...body, [field]: text } })).toMatchObject({
        status,
        body: answer,
      });
    }
  });
});

it('a description may have several lines', async () => {
  const body = { description: 'First\nsecond' };
  const answer = await cloud.call(`PATCH /api/v1/sites/${siteId}`, { token: owner.token, body });
  expect(answer).toMatchObject({ status: 200, body });
});

it('a legal text is stored without invisible characters, which word processors insert', async () => {
  const route = `/api/v1/organizations/${organizationId}/documents/terms`;
  const sent = { text: '# Terms\u00ad\r\n\r\n-\tone\u200b' };
  const text = '# Terms\n\n- one';
  expect((await cloud.call(`PUT ${route}`, { token: staff.token, body: sent })).body).toMatchObject({ text });
  expect((await cloud.call(`GET ${route}`, { token: staff.token })).body).toMatchObject({ text });
});

describe('stored invisible characters', () => {
  const NAME = '\u202eevE\u0007\ue000';
  const SHOWN = 'evE\ue000';

  it('the API omits stored invisible characters', async () => {
    const person = await cloud.make.user();
    await cloud.db
      .updateTable('users')
      .set({ first_name: NAME, last_name: 'Łódź 👩\u200d👩' })
      .where('id', '=', person.id)
      .execute();
    const { body } = await cloud.call('GET /api/v1/user', { token: person.token });
    expect(body).toMatchObject({ first_name: SHOWN, last_name: 'Łódź 👩\u200d👩' });
  });

  it('tools for agents omit stored invisible characters', async () => {
    const person = await cloud.make.user();
    await cloud.make.site({ ownerId: person.id });
    const tags = [...'obey'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    await cloud.db
      .updateTable('users')
      .set({ first_name: `Ada${tags}`, last_name: 'L\u202e\u0007' })
      .where('id', '=', person.id)
      .execute();
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'find_sites', arguments: {} },
    };
    const answer = await cloud.call('POST /mcp', { token: person.token, body });
    expect(JSON.stringify(answer.body)).toContain('Ada L\\"');
  });

  it('pages and mails omit stored invisible characters', async () => {
    const home = await cloud.make.organization();
    await cloud.db
      .updateTable('organizations')
      .set({ name: 'Sun\u202e\u200b & Co\u009b' })
      .where('id', '=', home)
      .execute();
    const page = await fetch(`${cloud.url}/api/v1/legal/portal/terms?organization_id=${home}`);
    expect(await page.text()).toContain('Sun &amp; Co');
    const email = 'mailed@example.org';
    const verification_token = await cloud.make.oneTimeToken('bot_check');
    const body = { email, password: 'Correct-horse-7', verification_token, organization_id: home };
    expect((await cloud.call('POST /api/v1/register', { body })).status).toBe(201);
    const mail = await cloud.mail(email);
    const unseen = /[\u202e\u200b\u009b]/;
    for (const part of [mail.subject, mail.text, mail.html]) {
      expect(part).toMatch(/Sun.* (&amp;|&) Co/);
      expect(part).not.toMatch(unseen);
    }
  });
});
