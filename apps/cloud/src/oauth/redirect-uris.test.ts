import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BrowserJar } from '../../test/oauth/browser-jar.ts';
import { TestPerson } from '../../test/oauth/person.ts';
import { ThirdParty } from '../../test/oauth/third-party.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

const REGISTERED = 'https://app.example.org/callback';

let cloud: TestCloud;
let application: ThirdParty;
let local: ThirdParty;
beforeAll(async () => {
  cloud = await startTestCloud();
  application = await ThirdParty.make(cloud, { redirectUri: REGISTERED });
  local = await ThirdParty.make(cloud, { redirectUri: 'http://localhost:8000/callback' });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** The redirect of a request that is refused anyway; null for none. */
async function sentTo(by: ThirdParty, redirect_uri: string): Promise<string | null> {
  const url = await by.authorizationUrl({ redirect_uri, response_type: 'token' });
  const answer = await new BrowserJar(cloud).go('GET', url);
  expect([303, 400]).toContain(answer.status);
  return answer.headers.get('location');
}

it.each([
  'https://app.example.org/callback/',
  'https://app.example.org/callback.evil',
  'https://app.example.org/callback/../evil',
  'https://app.example.org/callback/%2e%2e/evil',
  'https://app.example.org/callback%2Fevil',
  'https://app.example.org/callback%252Fevil',
  'https://app.example.org%2Fcallback',
  'https://app.example.org/Callback',
  'https://APP.example.org/callback',
  'HTTPS://app.example.org/callback',
  'http://app.example.org/callback',
  'https://app.example.org:443/callback',
  'https://app.example.org:8443/callback',
  'https://app.example.org./callback',
  'https://app.example.org.evil.example/callback',
  'https://evil.example/https://app.example.org/callback',
  'https://app.example.org@evil.example/callback',
  'https://app.example.org%40evil.example/callback',
  'https://user@app.example.org/callback',
  'https://evil.example\\@app.example.org/callback',
  'https://app.example.org\\.evil.example/callback',
  'https:\\\\app.example.org\\callback',
  '//app.example.org/callback',
  '/callback',
  'https://app.example.org/callback?',
  'https://app.example.org/callback?next=https://evil.example',
  'https://app.example.org/callback#',
  'https://app.example.org/callback#/evil',
  'https://app.example.org/callback;evil',
  ' https://app.example.org/callback',
  'https://app.example.org/callback ',
  'https://app.example.org/callback\r\n',
  'https://app.example.org/callback\0',
  'https://app.example.org/%63allback',
  'https://аpp.example.org/callback',
  'https://app。example.org/callback',
])('the unregistered address %j gets no redirect', async (uri) => {
  expect(await sentTo(application, uri)).toBeNull();
});

it.each([
  'http://localhost:8001/callback',
  'http://localhost/callback',
  'http://127.0.0.1:8000/callback',
  'http://[::1]:8000/callback',
  'http://localhost.evil.example:8000/callback',
  'https://localhost:8000/callback',
])(
  'a web application gets no redirect to %j, because loopback addresses must match exactly too',
  async (uri) => {
    expect(await sentTo(local, uri)).toBeNull();
    expect(await sentTo(local, local.redirectUri)).toContain(local.redirectUri);
  },
);

/** The registered address with a few pieces taken out, put in, or both. */
const NEARLY = fc
  .array(
    fc.record({
      at: fc.nat(REGISTERED.length),
      without: fc.nat(2),
      put: fc.oneof(
        fc.constantFrom(
          '/',
          '//',
          '\\',
          '@',
          '.',
          '..',
          ':',
          ':443',
          '#',
          '?',
          '%2f',
          '%2e',
          '%00',
          '%',
          '*',
          ';',
          ' ',
          '\t',
          'é',
          'evil.example',
        ),
        fc.string({ maxLength: 3 }),
        fc.string({ unit: 'grapheme', maxLength: 2 }),
      ),
    }),
    { maxLength: 3 },
  )
  .map((changes) =>
    changes.reduce(
      (uri, { at, without, put }) => uri.slice(0, at) + put + uri.slice(at + without),
      REGISTERED,
    ),
  );

it('the browser is redirected to the exact text of a registered address alone', async () => {
  await fc.assert(
    fc.asyncProperty(NEARLY, async (uri) => {
      const location = await sentTo(application, uri);
      if (uri === REGISTERED) expect(location).toMatch(/^https:\/\/app\.example\.org\/callback#error=/);
      else expect(location).toBeNull();
    }),
    { numRuns: 100, examples: [[REGISTERED]] },
  );
});

it('the redirect URI may be omitted if a single one is registered (OAuth 2.1, 4.1.1)', async () => {
  const person = await TestPerson.make(cloud);
  const code = await person.code(await application.authorizationUrl({ redirect_uri: null }));
  expect((await application.redeem(code, { redirect_uri: null })).status).toBe(200);

  await cloud.db
    .updateTable('oauth_clients')
    .set({ redirect_uris: [REGISTERED, `${REGISTERED}/other`] })
    .where('client_id', '=', application.clientId)
    .execute();
  const url = await application.authorizationUrl({ redirect_uri: null });
  const answer = await new BrowserJar(cloud).go('GET', url);
  expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  const other = await person.code(await application.authorizationUrl());
  for (const redirect_uri of [null, `${REGISTERED}/other`])
    expect((await application.redeem(other, { redirect_uri })).status).toBe(400);
});
