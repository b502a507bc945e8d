import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { withoutWritesTo } from '../../test/oauth/failing-database.ts';
import { TestPerson } from '../../test/oauth/person.ts';
import { ThirdParty } from '../../test/oauth/third-party.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';
import { tracingLogger } from '../../test/tracing-logger.ts';

const { logger, lines } = tracingLogger();
let cloud: TestCloud;
let secrets: Set<string>;
beforeAll(async () => {
  cloud = await startTestCloud({}, logger);
});
beforeEach(() => {
  secrets = new Set();
  lines.length = 0;
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** An application and a person, whose secrets are remembered. */
async function parties(): Promise<[ThirdParty, TestPerson]> {
  const application = await ThirdParty.make(cloud, { kind: 'confidential' });
  const person = await TestPerson.make(cloud);
  secrets
    .add(application.verifier)
    .add(application.secret ?? '')
    .add(person.user.token);
  return [application, person];
}

async function newCode(application: ThirdParty, person: TestPerson): Promise<string> {
  const code = await person.code(await application.authorizationUrl());
  secrets.add(code);
  return code;
}

function expectNoSecrets({ browser }: TestPerson): void {
  const log = lines.join('');
  for (const value of browser.cookies) secrets.add(value);
  expect([...secrets].filter((secret) => secret.length > 7 && log.includes(secret))).toEqual([]);
  // Whatever else looks like a token, a signed token, or a cookie.
  expect(log).not.toMatch(/hg[a-z0-9]_[\w-]{20}|eyJ[\w-]{10}|heliograph_(session|consent|resume|oauth)=/);
}

it('the log has no secret of successful and failed authorizations', async () => {
  const [application, person] = await parties();
  const code = await newCode(application, person);
  const { body } = await application.redeem(code);
  secrets.add(body.access_token).add(body.id_token ?? '');
  expect(secrets.size).toBe(6);
  for (const changes of [{}, { code_verifier: 'x'.repeat(43) }, { client_secret: `hgc_${'x'.repeat(43)}` }])
    expect((await application.redeem(code, changes)).status).toBeGreaterThanOrEqual(400);
  await cloud.call('GET /oauth/userinfo', { token: body.access_token });
  await application.post('/oauth/revoke', { token: body.access_token, client_id: application.clientId });
  await person.browser.go('GET', `${await application.authorizationUrl({ scope: 'nothing' })}`);
  expectNoSecrets(person);
});

it.each([
  ['oauth_records', 'outage'],
  ['oauth_records', 'fault'],
  ['oauth_grants', 'fault'],
  ['tokens', 'fault'],
  ['audit_events', 'fault'],
] as const)('the log has no secret when %s cannot be written: %s', async (table, failure) => {
  const [application, person] = await parties();
  const [first, second] = [await newCode(application, person), await newCode(application, person)];
  const { body } = await application.redeem(second);
  secrets.add(body.access_token);
  const consented = await person.consent(await application.authorizationUrl());
  secrets.add(new URL(consented).pathname.split('/').at(-1) ?? '');
  lines.length = 0;
  await withoutWritesTo(cloud, table, failure, async () => {
    const statuses = [
      (await person.browser.go('GET', await application.authorizationUrl())).status,
      (await application.redeem(first)).status,
      (await application.redeem(second)).status,
      (
        await application.post('/oauth/revoke', {
          token: body.access_token,
          client_id: application.clientId,
          client_secret: application.secret ?? '',
        })
      ).status,
      (await person.browser.go('GET', consented)).status,
    ];
    expect(statuses.some((status) => status >= 500)).toBe(true);
  });
  // So that an empty log proves something.
  expect(lines.join('')).toMatch(/failed|out of reach/);
  expectNoSecrets(person);
});
