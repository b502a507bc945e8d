import { SESSION_SCOPES } from '@heliograph/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { PASSWORD } from '../../test/factory.ts';
import { type Answer, type Call, startTestCloud, type TestCloud } from '../../test/test-cloud.ts';
import { tracingLogger } from '../../test/tracing-logger.ts';

const NEW_PASSWORD = 'Another-horse-7';

/** Names of secret fields. */
const SECRET_FIELD = /token|password|site_key|^code$/;

const { logger, lines } = tracingLogger();
let cloud: TestCloud;
let home: number;
let secrets: Set<string>;
let count = 0;
beforeAll(async () => {
  cloud = await startTestCloud({}, logger);
  home = await cloud.make.organization();
  await cloud.announce('us-1');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(() => {
  secrets = new Set();
  lines.length = 0;
});

function collectSecretsOf(value: unknown): void {
  for (const [name, inner] of Object.entries(value ?? {})) {
    if (typeof inner === 'string' && SECRET_FIELD.test(name)) secrets.add(inner);
    else if (typeof inner === 'object') collectSecretsOf(inner);
  }
}

/** A call whose secrets are remembered, those of the answer too. */
async function call(route: string, { token, body }: Call = {}): Promise<Answer> {
  const answer = await cloud.call(route, { token, body });
  if (token !== undefined) secrets.add(token);
  collectSecretsOf(body);
  collectSecretsOf(answer.body);
  return answer;
}

async function readMail(to: string): Promise<string> {
  const { link, token } = await cloud.mail(to);
  secrets.add(link).add(token);
  return token;
}

const verified = () => cloud.make.oneTimeToken('bot_check');
const newEmail = () => `secretive-${++count}@example.org`;
const credentials = (email: string, password = PASSWORD) => ({ email, password, organization_id: home });

async function join(email: string): Promise<Answer> {
  const body = { ...credentials(email), verification_token: await verified() };
  return call('POST /api/v1/register', { body });
}

async function confirm(email: string, pending_token: unknown): Promise<void> {
  await call('POST /api/v1/sign_in', { body: { email, pending_token, organization_id: home } });
  const body = { token: await readMail(email), organization_id: home };
  expect((await call('POST /api/v1/user/confirm', { body })).status).toBe(200);
  await call('POST /api/v1/user/confirm', { body });
  await call('POST /api/v1/sign_in', { body: { email, pending_token, organization_id: home } });
}

async function changePassword(email: string): Promise<void> {
  await call('POST /api/v1/password/reset', { body: { email, verification_token: await verified() } });
  const route = `PUT /api/v1/password/reset/${await readMail(email)}`;
  await call(route, { body: { password: 'too-weak-to-be-taken', organization_id: 'none' } });
  const body = { password: NEW_PASSWORD, organization_id: 'none' };
  expect((await call(route, { body })).status).toBe(200);
}

async function session(email: string): Promise<string> {
  await call('POST /api/v1/sign_in', { body: credentials(email, `${NEW_PASSWORD}-mistyped`) });
  const { status, body } = await call('POST /api/v1/sign_in', { body: credentials(email, NEW_PASSWORD) });
  expect(status).toBe(200);
  const handed = await call('POST /api/v1/session', { token: String(body.token) });
  await call('POST /api/v1/sign_in', { body: { session_token: handed.body.session_token } });
  return String(body.token);
}

/** Signs a browser in. */
async function browse(email: string, token: string): Promise<void> {
  const own = { origin: cloud.url, cookie: `__Host-heliograph_session=${token}` };
  for (const password of [`${NEW_PASSWORD}-mistyped`, NEW_PASSWORD]) {
    const { headers } = await cloud.call('POST /portal/sign_in', { headers: own, body: { email, password } });
    const [, session] = /_session=([^;]+)/.exec(headers.get('set-cookie') ?? '') ?? [];
    if (session !== undefined) secrets.add(session);
  }
  // That session has ended, and an operation fails with it.
  expect((await cloud.call('GET /portal/api/v1/user', { headers: own })).status).toBe(401);
}

async function makeToken(token: string): Promise<string> {
  const body = { name: `token ${++count}`, scopes: ['sites:read_all', 'sites:write_all'] };
  const made = await call('POST /api/v1/user/tokens', { token, body });
  expect(made.status).toBe(201);
  return String(made.body.token);
}

async function useSite(token: string): Promise<void> {
  const site = await call('POST /api/v1/sites/register', { token, body: { uid: await cloud.make.device() } });
  expect(site.status).toBe(200);
  expect((await call(`POST /api/v1/sites/${site.body.id}/authorize`, { token })).status).toBe(200);
  const email = newEmail();
  const person = { email, role: 'admin', first_name: 'Ada', last_name: 'Example' };
  await call(`POST /api/v1/sites/${site.body.id}/users`, { token, body: person });
  const route = `PUT /api/v1/password/set/${await readMail(email)}`;
  await call(route, { body: { password: NEW_PASSWORD, organization_id: 'none', accepted_terms: true } });
}

function expectNoSecrets(): void {
  const log = lines.join('');
  expect([...secrets].filter((secret) => secret.length > 7 && log.includes(secret))).toEqual([]);
  // Whatever else looks like a token, a signed token, the hash of a password or a link in a mail.
  expect(log).not.toMatch(/hg[a-z0-9]_[\w-]{20}|eyJ[\w-]{10}|\$argon2|#(confirm|password)/);
}

it('the log has no secret of sign-ins, password resets, new tokens and site access', async () => {
  const email = newEmail();
  const { status, body } = await join(email);
  expect(status).toBe(201);
  await confirm(email, body.pending_token);
  await changePassword(email);
  const token = await session(email);
  await useSite(await makeToken(token));
  await browse(email, await session(email));
  await call('DELETE /api/v1/session', { token });
  await call('GET /api/v1/user', { token });
  expect(secrets.size).toBeGreaterThan(15);
  // So that an empty log proves something.
  expect(lines.join('')).toContain('mail sent');
  expectNoSecrets();
});

/** One request after another of a person, each of which writes something. */
async function writeEverything(): Promise<() => Promise<Answer[]>> {
  const person = await cloud.make.user({ customerOf: home });
  const token = await cloud.make.token(person.id, { kind: 'session', scopes: SESSION_SCOPES });
  const linkOf = async (purpose: 'confirm' | 'reset' | 'invite') => {
    const link = await cloud.make.oneTimeToken(purpose, { userId: (await cloud.make.user()).id });
    secrets.add(link);
    return link;
  };
  const [confirmation, reset, invitation] = [
    await linkOf('confirm'),
    await linkOf('reset'),
    await linkOf('invite'),
  ];
  const verification_token = await verified();
  const uid = await cloud.make.device();
  const body = { password: NEW_PASSWORD, organization_id: 'none' };
  const requests: readonly (readonly [string, Call])[] = [
    ['POST /api/v1/sign_in', { body: credentials(person.email) }],
    ['POST /api/v1/user/tokens', { token, body: { name: 'x', scopes: ['sites:read_all'] } }],
    ['POST /api/v1/session', { token }],
    ['POST /api/v1/sites/register', { token, body: { uid } }],
    ['POST /api/v1/register', { body: { ...credentials(newEmail()), verification_token } }],
    ['POST /api/v1/user/confirm', { body: { token: confirmation, organization_id: 'none' } }],
    [`PUT /api/v1/password/reset/${reset}`, { body }],
    [`PUT /api/v1/password/set/${invitation}`, { body }],
  ];
  return async () => {
    const answers: Answer[] = [];
    for (const [route, request] of requests) answers.push(await call(route, request));
    return answers;
  };
}

/** While it runs, PostgreSQL refuses every write to the table, with an error that shows the whole row. */
async function withoutWritesTo<T>(table: string, job: () => Promise<T>): Promise<T> {
  const name = sql.id(table);
  await sql`alter table ${name} add constraint broken check (false) not valid`.execute(cloud.db);
  try {
    return await job();
  } finally {
    await sql`alter table ${name} drop constraint broken`.execute(cloud.db);
  }
}

it.each(['users', 'tokens', 'one_time_tokens', 'audit_events', 'sites'])(
  'the log has no secret when %s cannot be written',
  async (table) => {
    const answers = await withoutWritesTo(table, await writeEverything());
    const failed = answers.filter(({ status }) => status === 500);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.map(({ body }) => body)).toEqual(failed.map(() => ({ error: 'Internal server error' })));
    expect(lines.filter((line) => line.includes('request failed'))).toHaveLength(failed.length);
    expectNoSecrets();
  },
);

it('the log has no secret of an undeliverable mail', async () => {
  await withoutWritesTo('mailbox_messages', async () => {
    expect((await join(newEmail())).status).toBe(201);
    await expect.poll(() => lines.join(''), { timeout: 5_000 }).toContain('could not be sent');
  });
  expectNoSecrets();
});
