import { once } from 'node:events';
import { connect } from 'node:net';
import { inPieces } from '@heliograph/dev/in-pieces';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

let cloud: TestCloud;
let user: TestUser;
let siteId: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  user = await cloud.make.user();
  siteId = (await cloud.make.site({ ownerId: user.id })).id;
  await cloud.announce('us-1');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const error = { error: expect.any(String) };

describe('unreadable requests', () => {
  const signIn = '/api/v1/sign_in';
  it.each<
    [string, string, { raw?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> }, number]
  >([
    ['an unknown route', 'GET /nonsense', {}, 404],
    ['an unknown route of the API', 'POST /api/v1/nonsense', { raw: '{}', headers: JSON_TYPE }, 404],
    ['an unknown method', `DELETE ${signIn}`, {}, 405],
    ['a path that is not percent-encoded', 'GET /api/v1/%zz', {}, 400],
    ['malformed JSON', `POST ${signIn}`, { raw: '{"email":', headers: JSON_TYPE }, 400],
    ['no body', `POST ${signIn}`, {}, 400],
    ['an empty body', `POST ${signIn}`, { raw: '', headers: JSON_TYPE }, 400],
    ['an array', `POST ${signIn}`, { raw: '[]', headers: JSON_TYPE }, 400],
    ['a string', `POST ${signIn}`, { raw: '"x"', headers: JSON_TYPE }, 400],
    ['null', `POST ${signIn}`, { raw: 'null', headers: JSON_TYPE }, 400],
    [
      'a form',
      `POST ${signIn}`,
      { raw: 'email=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
    ],
    ['a content type that is none', `POST ${signIn}`, { raw: '{}', headers: { 'content-type': 'x' } }, 415],
    [
      'bytes that are not UTF-8',
      `POST ${signIn}`,
      { raw: Uint8Array.of(0x22, 0xff, 0x22), headers: JSON_TYPE },
      400,
    ],
    ['a poisoned prototype', `POST ${signIn}`, { raw: '{"__proto__":{"x":1}}', headers: JSON_TYPE }, 400],
    [
      'an array nested 30,000 deep',
      `POST ${signIn}`,
      { raw: '['.repeat(3e4) + ']'.repeat(3e4), headers: JSON_TYPE },
      400,
    ],
    ['a body over 64 KiB', `POST ${signIn}`, { raw: `"${'x'.repeat(65_536)}"`, headers: JSON_TYPE }, 413],
    [
      'a form over 64 KiB at the token endpoint',
      'POST /oauth/token',
      { raw: 'a=b&'.repeat(17_000), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      413,
    ],
    [
      'a body over 64 KiB for agents',
      'POST /oauth/register',
      { raw: `"${'x'.repeat(65_536)}"`, headers: JSON_TYPE },
      413,
    ],
    ['a body over 10 MiB', `POST ${signIn}`, { raw: `"${'x'.repeat(11_000_000)}"`, headers: JSON_TYPE }, 413],
  ])('%s is answered with an error in the usual shape', async (_what, route, call, status) => {
    expect(await cloud.call(route, call)).toMatchObject({ status, body: error });
  });

  const NOT_VALID = 'The body is not valid JSON';
  const NOT_JSON = 'The body must be JSON, with Content-Type: application/json';
  const NOT_UTF_8 = 'The body must be in UTF-8: no other charset is supported';
  const COMPRESSED = 'The body must not be compressed: no Content-Encoding is supported';
  const RESERVED = 'The body has a field with a reserved name: __proto__ or constructor';
  it.each<[string, string, Record<string, string>, number, string]>([
    ['half a body', '{"email":', {}, 400, NOT_VALID],
    ['a comma too many', '{"a":1,}', {}, 400, NOT_VALID],
    ['a poisoned prototype', '{"__proto__":{}}', {}, 400, RESERVED],
    ['a poisoned constructor', '{"constructor":{"prototype":{}}}', {}, 400, RESERVED],
    ['nothing', '', {}, 400, 'The body is missing'],
    ['a content type that is none', '{}', { 'content-type': 'x' }, 415, NOT_JSON],
    ['text', '{}', { 'content-type': 'text/plain' }, 415, NOT_JSON],
    ['another charset', '{}', { 'content-type': 'application/json; charset=latin1' }, 415, NOT_UTF_8],
    ['two charsets', '{}', { 'content-type': 'application/json;charset=utf-8;charset=x' }, 415, NOT_UTF_8],
    ['an encoding', '{}', { 'content-encoding': 'gzip' }, 415, COMPRESSED],
  ])(
    'a sign-in whose body is %s is refused in our own words',
    async (_what, raw, headers, status, message) => {
      const answer = await cloud.call(`POST ${signIn}`, { raw, headers: { ...JSON_TYPE, ...headers } });
      expect(answer).toMatchObject({ status, body: { error: message } });
    },
  );

  it.each(['UTF-8', '"utf-8"', 'utf8'])('a body in the charset %s is read', async (charset) => {
    const headers = {
      'content-type': `application/json; charset=${charset}`,
      'content-encoding': 'identity',
    };
    const answer = await cloud.call(`POST ${signIn}`, { raw: '{}', headers });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'email, organization_id, password are missing' },
    });
  });

  it.each([
    ['text, as Node-RED sends its payload', '1767225600000', 'text/plain'],
    ['a form', 'a=b', 'application/x-www-form-urlencoded'],
    ['half of a JSON body', '{"a":', 'application/json'],
  ])('an operation without a body ignores %s', async (_what, raw, type) => {
    const headers = { 'content-type': type };
    const answer = await cloud.call(`POST /api/v1/sites/${siteId}/authorize`, {
      token: user.token,
      raw,
      headers,
    });
    expect(answer).toMatchObject({ status: 200, body: { site_id: siteId } });
  });

  it('the authorization endpoint refuses a body that is no form in our own words', async () => {
    const answer = await cloud.call('POST /oauth/authorize', { raw: '{}', headers: JSON_TYPE });
    const message = 'The body must be a form, with Content-Type: application/x-www-form-urlencoded';
    expect(answer).toMatchObject({ status: 415, body: { error: message } });
  });

  it('a compressed logo is refused with 415', async () => {
    const staff = await cloud.make.user({ staff: true });
    const organization = await cloud.make.organization();
    const answer = await cloud.call(`PUT /api/v1/organizations/${organization}/logo`, {
      token: staff.token,
      raw: '<svg/>',
      headers: { 'content-type': 'image/svg+xml', 'content-encoding': 'gzip' },
    });
    expect(answer).toMatchObject({ status: 415, body: { error: COMPRESSED } });
  });

  it('a client that reads only after sending its whole body receives the 413', async () => {
    const { hostname, port } = new URL(cloud.url);
    const length = 8_000_000;
    const socket = inPieces(connect({ host: hostname, port: Number(port) }));
    const head = `POST ${signIn} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    await new Promise((sent, failed) => {
      socket.once('error', failed);
      socket.write(head + 'x'.repeat(length), sent);
    });
    const [answer] = await once(socket, 'data');
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1.1 413 /);
  });

  it('a refusal repeats no more than a part of a name that is as long as a body', async () => {
    const body = { locale: 'de', ['k'.repeat(60_000)]: 1 };
    const answer = await cloud.call('PATCH /api/v1/user', { token: user.token, body });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: `${'k'.repeat(199)}… is not accepted here` },
    });
  });

  it('a field whose name is empty is named in a form that has no such field', async () => {
    const token = await cloud.make.token(user.id, { kind: 'session' });
    const answer = await cloud.call('PATCH /api/v1/user/profile', { token, body: { '': 1 } });
    expect(answer).toMatchObject({ status: 422, body: { errors: { '': ['is not accepted here'] } } });
  });

  it('the error names the invalid field', async () => {
    const body = { email: 'a@example.org', password: 'x', organization_id: [] };
    const answer = await cloud.call(`POST ${signIn}`, { body });
    expect(answer.body.error).toMatch(/^organization_id /);
  });
});

describe('statuses of refused fields', () => {
  const LONG = 'x'.repeat(2_000);
  const LINK = 'PUT /api/v1/password/reset/x';
  const tooLong = (field: string) => ({ errors: { [field]: [expect.stringMatching(/^must have at most/)] } });
  const sentence = (text: string) => ({ error: expect.stringContaining(text) });
  it.each<[string, object, number, object]>([
    ['POST /api/v1/sites/register', { uid: 'x', description: LONG }, 422, tooLong('description')],
    ['POST /api/v1/sites/register', { uid: 7, description: LONG }, 400, sentence('uid must be a text')],
    ['POST /api/v1/sites/register', { description: LONG }, 400, sentence('uid is missing')],
    ['POST /api/v1/sites/register', { uid: 'x', name: null, description: [] }, 400, sentence('description')],
    [LINK, { password: LONG, organization_id: 'none' }, 422, tooLong('password')],
    [
      LINK,
      { password: 'x', organization_id: 'x' },
      422,
      { errors: { organization_id: [expect.any(String)] } },
    ],
    [LINK, { password: 'x', organization_id: 1.5 }, 400, sentence('organization_id must be')],
    ['PUT /api/v1/password/set/x', { password: LONG, organization_id: 'none' }, 422, tooLong('password')],
    ['POST /api/v1/password/reset', { email: LONG, verification_token: 'x' }, 422, tooLong('email')],
    ['POST /api/v1/password/reset', { email: LONG }, 400, sentence('verification_token is missing')],
    ['POST /api/v1/user/confirm', { token: LONG, organization_id: 'none' }, 422, tooLong('token')],
    ['POST /api/v1/sign_in', { email: LONG, password: 'x', organization_id: 'none' }, 422, tooLong('email')],
    [
      LINK,
      { password: LONG, password_confirmation: 'y', accepted_terms: false, organization_id: 'none' },
      422,
      { errors: { password: [expect.any(String)], accepted_terms: ['must be accepted'] } },
    ],
    ['PATCH /api/v1/user', { locale: 'de', more: 1 }, 400, sentence('more is not accepted')],
    ['PATCH /api/v1/sites/1/users/1', { role: 'king' }, 400, sentence('role must be')],
  ])(
    'a value that is not allowed is 422, and a body of another shape 400: %s',
    async (route, body, status, refusal) => {
      expect(await cloud.call(route, { token: user.token, body })).toMatchObject({ status, body: refusal });
    },
  );
});

describe('ids in paths', () => {
  it.each([
    '0',
    '-1',
    '+1',
    '1.5',
    '1e3',
    '0x1',
    'abc',
    'null',
    '%00',
    '%20',
    '%F0%9F%98%80',
    "1'--",
    '2147483648',
    '99999999999999999999',
    '1'.repeat(500),
    '1%2F..',
    '١',
  ])('%.30s names no site', async (id) => {
    for (const route of [`GET /api/v1/sites/${id}`, `POST /api/v1/sites/${id}/authorize`]) {
      const { status, body } = await cloud.call(route, { token: user.token });
      expect([400, 404]).toContain(status);
      expect(body).toEqual(error);
    }
  });
});

describe('lists', () => {
  it.each([
    'limit=abc',
    'limit=-1',
    'limit=1.5',
    'limit=1e2',
    'limit=',
    'limit=1&limit=2',
    'limit[]=1',
    'offset=-1',
    'offset=x',
    'offset=0x10',
    'q=%00',
    'q=a&q=b',
    `q=${'x'.repeat(10_000)}`,
  ])('the query ?%.30s is refused', async (query) => {
    const answer = await cloud.call(`GET /api/v1/sites?${query}`, { token: user.token });
    // limit[] is an unknown parameter.
    expect(answer).toMatchObject(query === 'limit[]=1' ? { status: 200 } : { status: 400, body: error });
  });

  it('any storable text is accepted for q', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (q) => {
        const answer = await cloud.call(`GET /api/v1/sites?q=${encodeURIComponent(q)}`, {
          token: user.token,
        });
        expect(answer.status).toBe(q.includes('\0') ? 400 : 200);
      }),
      { numRuns: 40 },
    );
  });
});

describe('hostile texts', () => {
  it.each([
    ['kelvin', '\u212aelvin'],
    ['sam', '\u017fam'],
    ['ida', '\u0130da'],
  ])('a link for %s is not mailed to %s', async (name, lookalike) => {
    const { email } = await cloud.make.user({ email: `${name}@example.org` });
    const requestReset = async (address: string) => {
      const body = { email: address, verification_token: await cloud.make.oneTimeToken('bot_check') };
      expect((await cloud.call('POST /api/v1/password/reset', { body })).status).toBe(200);
    };
    await requestReset(`${lookalike}@example.org`);
    await requestReset(email);
    await cloud.mail(email);
    const recipients = await cloud.db.selectFrom('mailbox_messages').select('recipient').execute();
    expect(recipients.filter(({ recipient }) => recipient.startsWith(lookalike))).toEqual([]);
  });

  it('hostile text is stored unchanged', async () => {
    const description = `<b>'"; drop table sites; -- \\ % _ 𝔘 \n'`;
    const uid = await cloud.make.device();
    const { body } = await cloud.call('POST /api/v1/sites/register', {
      token: user.token,
      body: { uid, description },
    });
    expect(body.description).toBe(description);
  });

  it('the cloud still serves after hostile requests', async () => {
    expect((await cloud.call(`GET /api/v1/sites/${siteId}`, { token: user.token })).status).toBe(200);
  });
});
