import { type Browser, type BrowserContext, launchBrowser } from '@heliograph/dev/testing/browser';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Tab } from '../../../test/portal/pages/tab.ts';
import { CLOUD_SECRET, startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { UnsubscribeTokens } from '../../common/secrets/unsubscribe-token.ts';

let cloud: TestCloud;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  [cloud, browser] = await Promise.all([startTestCloud(), launchBrowser()]);
  context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block' });
});
afterAll(async () => {
  await browser?.close();
  await cloud?.[Symbol.asyncDispose]();
});

let tab: Tab;
beforeEach(async () => {
  tab = await Tab.in(context);
  return async () => {
    await Tab.closeAll(context);
    expect(tab.refusals).toEqual([]);
  };
});

/** The address in the header of a mail to an account. */
const addressFor = (userId: number): string => {
  const token = new UnsubscribeTokens({ used: CLOUD_SECRET, accepted: undefined }).of(userId);
  return `${cloud.url}/api/v1/notification_mails/unsubscribe?token=${token}`;
};

/** Undefined for an account that has chosen nothing. */
const mailsOf = async (userId: number): Promise<boolean | undefined> => {
  const settings = await cloud.db
    .selectFrom('notification_settings')
    .select('mail')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return settings?.mail;
};

it.each(['signed out', 'signed in'])(
  'a person ends the mails about alerts by hand, with one button and not by opening the address: %s',
  async (session) => {
    const user = await cloud.make.user();
    if (session === 'signed in') {
      await tab.page.goto(`${cloud.url}/sign_in`);
      await tab.signsIn(user);
      await tab.arrivesAt('/sites');
    }
    await tab.page.goto(addressFor(user.id));
    await tab.titled('Emails about alerts');
    expect(new URL(tab.page.url()).pathname).toBe('/unsubscribe');
    expect(await mailsOf(user.id)).toBeUndefined();
    await tab.press('Stop the emails');
    await tab.hasText('You will get no more emails about alerts.');
    expect(await mailsOf(user.id)).toBe(false);
    await tab.page.getByRole('link', { name: 'Open notifications' }).click();
    await expect
      .poll(() => new URL(tab.page.url()).pathname)
      .toBe(session === 'signed in' ? '/user/notifications' : '/sign_in');
  },
);

it('an address that is cut off, or of no account, reads as one that is not valid, and the next one works', async () => {
  const user = await cloud.make.user();
  for (const fragment of ['', '#%', '#7', `#${'x'.repeat(200)}`, `#${user.id + 1}.${'a'.repeat(43)}`]) {
    await tab.page.goto(`${cloud.url}/unsubscribe${fragment}`);
    const button = tab.page.getByRole('button', { name: 'Stop the emails', exact: true });
    await button.or(tab.page.getByText('The link is not complete')).first().waitFor();
    if (await button.isVisible()) await button.click();
    await tab.titled('This link is no longer valid');
    await tab.hasText('The link is not complete, or no longer valid.');
  }
  await tab.page.goto(addressFor(user.id));
  await tab.press('Stop the emails');
  await tab.hasText('You will get no more emails about alerts.');
  expect(await mailsOf(user.id)).toBe(false);
});
