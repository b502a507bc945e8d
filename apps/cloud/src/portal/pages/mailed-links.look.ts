import { type Browser, type BrowserContext, launchBrowser } from '@heliograph/dev/testing/browser';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Tab } from '../../../test/portal/pages/tab.ts';
import { CLOUD_SECRET, startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { UnsubscribeTokens } from '../../common/secrets/unsubscribe-token.ts';
import { MAILED_TOKENS } from '../../db/one-time-tokens.ts';
import { linkTo } from '../../delivery/mail/links.ts';

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

/** Buttons that act on the links, of which no mail has another kind. */
const BUTTONS = {
  confirm: 'Confirm the address',
  reset: 'Set the password',
  invite: 'Set the password',
  email_change: 'Confirm the address',
} as const satisfies Record<(typeof MAILED_TOKENS)[number], string>;

/** With the button of its page. */
type MakeLink = () => Promise<readonly [link: string, button: string]>;

const LINKS: readonly (readonly [name: string, make: MakeLink])[] = [
  ...MAILED_TOKENS.map((purpose): readonly [string, MakeLink] => [
    `the link "${purpose}"`,
    async () => {
      const { id } = await cloud.make.user({ confirmed: purpose === 'reset' || purpose === 'email_change' });
      if (purpose === 'email_change') await requestEmailChange(id);
      const token = await cloud.make.oneTimeToken(purpose, { userId: id });
      return [linkTo(cloud.url, purpose, token, null), BUTTONS[purpose]];
    },
  ]),
  [
    'the header "List-Unsubscribe"',
    async () => {
      const { id } = await cloud.make.user();
      const token = new UnsubscribeTokens({ used: CLOUD_SECRET, accepted: undefined }).of(id);
      return [`${cloud.url}/api/v1/notification_mails/unsubscribe?token=${token}`, 'Stop the emails'];
    },
  ],
];

/** Pages that mails lead to, without a token. */
const PAGES = ['/user/invitations', '/user/security', '/alerts'];

const BROWSERS = ['nobody', 'another account'] as const;

it.each(LINKS.flatMap(([name, make]) => BROWSERS.map((session) => [name, session, make] as const)))(
  '%s changes nothing by being opened with its scripts, in a browser of %s',
  async (_name, session, make) => {
    if (session === 'another account') await signIn();
    const [link, button] = await make();
    const before = await everyRow();
    await tab.page.goto(link);
    await tab.page.getByRole('button', { name: button, exact: true }).waitFor();
    await tab.page.waitForLoadState('networkidle');
    expect(await everyRow()).toEqual(before);
  },
);

it.each(PAGES)('the page %s, which mails lead to, changes nothing by being opened', async (path) => {
  await signIn();
  const before = await everyRow();
  await tab.page.goto(cloud.url + path);
  await tab.page.locator('#root:not([aria-busy]) h1').waitFor();
  await tab.page.waitForLoadState('networkidle');
  expect(await everyRow()).toEqual(before);
});

async function requestEmailChange(userId: number): Promise<void> {
  const expires_at = new Date(cloud.clock.now() + 60_000);
  await cloud.db
    .insertInto('email_changes')
    .values({ user_id: userId, email: `new-${userId}@example.org`, expires_at })
    .execute();
}

async function signIn(): Promise<void> {
  await tab.page.goto(`${cloud.url}/sign_in`);
  await tab.signsIn(await cloud.make.user());
  await tab.arrivesAt('/sites');
  await tab.page.waitForLoadState('networkidle');
}

/** All that the database has, but when a session was last used. A hash of each table by its name. */
async function everyRow(): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema() order by 1`.execute(cloud.db);
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ hash: string }>`
      select coalesce(md5(string_agg(line, ',' order by line)), '') as hash
      from (select (to_jsonb(t) - 'last_used_at')::text as line from ${sql.table(name)} as t) as lines`.execute(
      cloud.db,
    );
    hashes[name] = rows[0]?.hash ?? '';
  }
  return hashes;
}
