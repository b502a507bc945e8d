import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { BrowserJar } from '../../../test/oauth/browser-jar.ts';
import { ThirdParty } from '../../../test/oauth/third-party.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const CHALLENGE = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWDbuGJSstw-cM',
  code_challenge_method: 'S256',
};

let cloud: TestCloud;
let user: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  user = await cloud.make.user();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

async function registerAgent(redirectUri: string): Promise<Record<string, string>> {
  const body = { redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' };
  const registered = await cloud.call('POST /oauth/register', { body });
  expect(registered.status).toBe(201);
  return { client_id: String(registered.body.client_id), redirect_uri: redirectUri };
}

function authorizationPath(client: Record<string, string>, more: Record<string, string> = {}): string {
  return `/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...CHALLENGE, ...client, ...more })}`;
}

async function signedInBrowser(): Promise<BrowserJar> {
  const browser = new BrowserJar(cloud);
  await browser.go('POST', '/portal/sign_in', { email: user.email, password: PASSWORD });
  return browser;
}

/** Goes to the consent page, decides there, and follows to what is redirected to. */
async function decide(browser: BrowserJar, path: string, decision: 'allow' | 'deny'): Promise<string | null> {
  const consent = (await browser.go('GET', path)).headers.get('location');
  const answer = await browser.go('POST', `${consent}/${decision}`, {});
  const { location } = (await answer.json()) as { location: string };
  return (await browser.go('GET', location)).headers.get('location');
}

const MISTAKES: readonly (readonly [string, Record<string, string>, string])[] = [
  ['prompt=none without a session', { prompt: 'none' }, 'login_required'],
  ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
  ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
  ['a prompt that there is not', { prompt: 'x' }, 'invalid_request'],
  ['another resource', { resource: 'https://elsewhere.example/' }, 'invalid_target'],
  ['an answer as a form', { prompt: 'none', response_mode: 'form_post' }, 'login_required'],
  ['an answer in the fragment', { prompt: 'none', response_mode: 'fragment' }, 'login_required'],
];

describe('an agent that registered itself', () => {
  it.each(
    ['https://evil.example/cb', 'com.example.app:/cb', 'http://localhost/cb'].flatMap((uri) =>
      MISTAKES.map((mistake) => [uri, ...mistake] as const),
    ),
  )(
    'a registered agent with %s gets no redirect for an invalid request: %s',
    async (uri, _what, parameters, error) => {
      const client = await registerAgent(uri);
      const answer = await new BrowserJar(cloud).go('GET', authorizationPath(client, parameters));
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
      const page = await answer.text();
      expect(page).toContain('This request cannot be answered');
      expect(page).toContain(error);
      expect(page).not.toContain(uri);
    },
  );

  it('a signed-in person is not redirected without a decision', async () => {
    const client = await registerAgent('https://evil.example/cb');
    const browser = await signedInBrowser();
    const answer = await browser.go('GET', authorizationPath(client, { prompt: 'none' }));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });

  it('a person who leaves the consent page without a decision is not redirected', async () => {
    const client = await registerAgent('https://evil.example/cb');
    const browser = await signedInBrowser();
    const consent = (await browser.go('GET', authorizationPath(client))).headers.get('location') ?? '';
    const uid = consent.split('/').at(-1);
    const resumed = await browser.go('GET', `/oauth/authorize/${uid}`);
    expect(resumed.headers.get('location') ?? '').not.toContain('evil.example');
  });

  it.each([
    ['deny', 'error=access_denied'],
    ['allow', 'code='],
  ] as const)('the agent gets its answer once the person has decided: %s', async (decision, answer) => {
    const client = await registerAgent('https://agent.example.org/cb');
    const path = authorizationPath(client, { scope: 'sites:read_all' });
    const location = await decide(await signedInBrowser(), path, decision);
    expect(location).toMatch(/^https:\/\/agent\.example\.org\/cb\?/);
    expect(location).toContain(answer);
  });
});

it('an application of an organization gets errors by redirect, as OAuth has it', async () => {
  const application = await ThirdParty.make(cloud, { redirectUri: 'https://app.example.org/callback' });
  const url = await application.authorizationUrl({ prompt: 'none' });
  const answer = await new BrowserJar(cloud).go('GET', url);
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toContain('https://app.example.org/callback?error=login_required');
});
