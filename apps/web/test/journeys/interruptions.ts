import { createCloudClient } from '@heliograph/client';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';

/** Sessions that end in other tabs, and failures of the network. */
export function describeInterruptions(fixture: () => Fixture): void {
  const signIn = async (): Promise<string> => {
    const { portal: url, system } = fixture();
    const { email, password } = system.run.account;
    const credentials = { email, password, organization_id: 'none' } as const;
    return (await createCloudClient({ url }).signIn(credentials)).token;
  };

  it('a session that ended elsewhere leads to sign-in', async () => {
    const token = await signIn();
    await using visit = await fixture().visit({ expectedErrors: [/401/] });
    const { page, context } = visit;
    const { portal: url } = fixture();
    const value = { name: '__Host-heliograph_session', value: token };
    await context.addCookies([{ ...value, url: url.replace('http:', 'https:'), secure: true }]);
    await page.goto(`${url}/sites`);
    await page.getByRole('heading', { name: 'Sites' }).waitFor();
    const cloud = createCloudClient({ url, token });
    const session = (await cloud.listSessions()).find(({ current }) => current);
    await cloud.endSession({ id: session?.id ?? 0 });
    // The list refreshes by itself, which may lead to sign-in before the click does.
    const link = page.getByRole('link', { name: 'Organization', exact: true });
    await link.or(page.getByLabel('Email')).first().click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/sign_in');
    await page.getByLabel('Email').waitFor();
  });

  it('a page that could not be loaded is loaded once the network is back', async () => {
    await using visit = await fixture().visit({
      as: 'demo',
      expectedErrors: [/ERR_FAILED/, /WebSocket/, /imported module/, /ChunkMissing/],
    });
    const { page, context } = visit;
    await page.goto(`${fixture().portal}/sites`);
    await page.getByRole('heading', { name: 'Sites' }).waitFor();
    // The foot of the page loads last.
    await page.getByRole('group', { name: 'Light or dark' }).waitFor();
    await context.route('**', (route) => route.abort());
    await page.getByRole('link', { name: 'Demo Account' }).click();
    await page.getByText('cannot be reached').waitFor();
    await context.unroute('**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('demo@heliograph.test').waitFor();
  });

  it.each([
    ['base', /\/assets\/base-[^/]+\.js|\/healthz/, /\/assets\/base-[^/]+\.js/],
    ['shared', /\/assets\/texts-[^/]+\/[^/]+\/shared\.js|\/healthz/, /\/healthz/],
  ])(
    'a link to load the page again appears when the script "%s" is missing',
    async (_part, missing, last) => {
      await using visit = await fixture().visit({
        expectedErrors: [/ERR_FAILED/, /preload/, /ChunkMissing/],
      });
      const { page, context } = visit;
      await context.route(missing, (route) => route.abort());
      // A page whose health check succeeds loads again by itself.
      const lastFailure = page.waitForEvent('requestfailed', (request) => last.test(request.url()));
      await page.goto(`${fixture().portal}/sign_in`);
      const link = page.getByRole('link', { name: 'Load the page again' });
      // The link appears with a delay.
      await page.evaluate('for (const one of document.getAnimations()) one.finish()');
      await link.waitFor();
      await lastFailure;
      await context.unrouteAll();
      await link.click();
      await page.getByLabel('Email').waitFor();
      expect(await page.locator('#slow-load').count()).toBe(0);
    },
  );

  it.each([
    {
      part: 'a site of the portal',
      as: 'demo',
      hung: /\/portal\/api\/v1\/(?!sites\?)/,
      path: '/sites/1/people',
    },
    { part: 'a list of the portal', as: 'demo', hung: /\/portal\/api\//, path: '/sites' },
    { part: 'energy of a device', as: 'device', hung: /\/api\/v1\/(?!session)/, path: '/energy' },
    {
      part: 'configuration of a device',
      as: 'device',
      hung: /\/api\/v1\/(?!session)/,
      path: '/configuration',
    },
  ] as const)('$part announces a long wait while requests stay unanswered', async ({ as, hung, path }) => {
    await using visit = await fixture().visit({ as, expectedErrors: [/ERR_/, /WebSocket/] });
    const { page, context } = visit;
    await context.route(hung, () => new Promise(() => undefined));
    await page.goto(`${as === 'demo' ? fixture().portal : fixture().device}${path}`);
    await page.getByText('This is taking longer than usual').first().waitFor();
    expect(await page.getByText('cannot be reached').count()).toBe(0);
  });

  it('a change that stays unanswered announces a long wait, until it has failed', async () => {
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/ERR_/] });
    const { page, context } = visit;
    const answered = Promise.withResolvers<void>();
    await context.route(/\/portal\/api\/v1\/user\/tokens/, async (route) => {
      if (route.request().method() !== 'POST') return await route.continue();
      await answered.promise;
      await route.abort();
    });
    await page.goto(`${fixture().portal}/user/tokens`);
    await page.getByRole('button', { name: 'Make a token' }).click();
    await page.getByLabel('Name', { exact: false }).first().fill('Slow');
    await page.getByRole('button', { name: 'Make the token' }).click();
    const notice = page.getByText('This is taking longer than usual');
    await notice.waitFor();
    answered.resolve();
    await notice.waitFor({ state: 'detached' });
  });

  it('a page stays in its language, with a message, when another cannot be loaded', async () => {
    await using visit = await fixture().visit({ as: 'device', expectedErrors: [/ERR_FAILED/] });
    const { page, context } = visit;
    await page.goto(fixture().device);
    const language = page.getByLabel('Language', { exact: true });
    await language.waitFor();
    await page.getByRole('slider', { name: 'Power and charge' }).waitFor();
    await context.route(/\/assets\/|\/healthz/, (route) => route.abort());
    await language.selectOption('de');
    await page.getByRole('alert').filter({ hasText: 'This language could not be loaded' }).waitFor();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await language.inputValue()).toBe('en');
    await context.unrouteAll();
    await language.selectOption('de');
    await page.getByRole('heading', { name: 'Übersicht' }).waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });

  it('a page works without a part that cannot be loaded', async () => {
    await using visit = await fixture().visit({
      as: 'device',
      expectedErrors: [/ERR_FAILED/, /imported module/, /ChunkMissing/],
    });
    const { page, context } = visit;
    await context.route(/\/assets\/(foot|energy-history)-|\/healthz/, (route) => route.abort());
    await page.goto(fixture().device);
    await expect.poll(() => page.getByText('cannot be reached').count()).toBe(3);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Settings' }).waitFor();
  });

  it('a page reports that the browser is offline', async () => {
    await using visit = await fixture().visit({ as: 'device', expectedErrors: [/ERR_/, /WebSocket/] });
    const { page, context } = visit;
    let isDead = false;
    await page.routeWebSocket(/websocket/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => isDead || socket.send(message));
      socket.onMessage((message) => isDead || server.send(message));
    });
    await page.goto(fixture().device);
    await page.getByRole('slider', { name: 'Power and charge' }).waitFor();
    await page.getByRole('group', { name: 'Light or dark' }).waitFor();
    isDead = true;
    await context.setOffline(true);
    await page.getByText('Your browser is offline').waitFor();
  });
}
