import type { Page } from '@heliograph/dev/testing/browser';
import type { Fixture, VisitOptions } from '../fixture.ts';

/** A page and its visitor. */
export interface PageCase {
  /** Names its screenshots. */
  readonly name: string;
  readonly url: (fixture: Fixture) => string;
  /** The session of its visitor. */
  readonly as: NonNullable<VisitOptions['as']>;
  /** A text that is there once the page shows what it is for. */
  readonly ready: RegExp;
  /** Opens a form or a dialog of the page. */
  readonly open?: (page: Page) => Promise<void>;
  /** Patterns of errors that belong in its console. */
  readonly expectedErrors?: readonly RegExp[];
}

const portal =
  (path: string) =>
  ({ portal: origin, system }: Fixture): string =>
    `${origin}${path.replace(':site', String(system.run.site.id)).replace(':organization', String(system.run.organization.id))}`;

const device =
  (path: string) =>
  ({ device: origin }: Fixture): string =>
    `${origin}${path}`;

/** Presses a button and waits for a field that it brings. */
const press =
  (button: string, field: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: button, exact: true }).first().click();
    await page.getByLabel(field).first().waitFor();
  };

export const PAGES: readonly PageCase[] = [
  { name: 'welcome', url: portal('/'), as: 'anonymous', ready: /sign in/i },
  { name: 'sign-in', url: portal('/sign_in'), as: 'anonymous', ready: /password/i },
  { name: 'register', url: portal('/register'), as: 'anonymous', ready: /password/i },
  { name: 'forgotten-password', url: portal('/password'), as: 'anonymous', ready: /email/i },
  { name: 'unsubscribe', url: portal('/unsubscribe#7.signature'), as: 'anonymous', ready: /Stop the emails/ },
  { name: 'no-connection', url: portal('/offline'), as: 'anonymous', ready: /No connection/ },
  { name: 'sites', url: portal('/sites'), as: 'demo', ready: /demo/ },
  { name: 'sites-table', url: portal('/sites?view=table'), as: 'demo', ready: /Save all as CSV/ },
  {
    name: 'sites-table-selection',
    url: portal('/sites?view=table'),
    as: 'demo',
    ready: /Save all as CSV/,
    open: async (page) => {
      await page.getByRole('checkbox', { name: 'Select demo' }).check();
      await page.getByRole('region', { name: 'Selected sites' }).waitFor();
    },
  },
  {
    name: 'sites-view-form',
    url: portal('/sites?view=table&show=offline'),
    as: 'demo',
    ready: /Save this view/,
    open: press('Save this view', 'Name of the view'),
  },
  { name: 'sites-map', url: portal('/sites?view=map'), as: 'demo', ready: /On the map: 1 of 1/ },
  { name: 'sites-offline', url: portal('/sites/offline'), as: 'demo', ready: /None of your sites/ },
  { name: 'sites-nearby', url: portal('/sites/local'), as: 'demo', ready: /network/ },
  { name: 'alerts', url: portal('/alerts'), as: 'demo', ready: /Nothing is wrong|Critical|Warning/ },
  { name: 'add-site', url: portal('/sites/add'), as: 'demo', ready: /uid/i },
  { name: 'site', url: portal('/sites/:site'), as: 'demo', ready: /^Live$/ },
  { name: 'site-energy', url: portal('/sites/:site/energy'), as: 'demo', ready: /Power and charge/ },
  { name: 'site-metrics', url: portal('/sites/:site/metrics'), as: 'demo', ready: /PV power/ },
  {
    name: 'site-history',
    url: portal('/sites/:site/history?topic=battery_1%2Fvoltage'),
    as: 'demo',
    ready: /Battery 1: Voltage/,
  },
  {
    name: 'site-alerts',
    url: portal('/sites/:site/alerts'),
    as: 'demo',
    ready: /Nothing is wrong|Critical|Warning/,
  },
  { name: 'site-settings', url: portal('/sites/:site/settings'), as: 'demo', ready: /Battery reserve/ },
  { name: 'site-people', url: portal('/sites/:site/people'), as: 'demo', ready: /demo@heliograph.test/ },
  { name: 'site-support', url: portal('/sites/:site/support'), as: 'demo', ready: /Support has no access/ },
  { name: 'site-device', url: portal('/sites/:site/device'), as: 'demo', ready: /proxy/i },
  { name: 'account', url: portal('/user'), as: 'demo', ready: /demo@heliograph.test/ },
  { name: 'account-security', url: portal('/user/security'), as: 'demo', ready: /session/i },
  {
    name: 'account-notifications',
    url: portal('/user/notifications'),
    as: 'demo',
    ready: /Telegram/,
  },
  { name: 'account-activity', url: portal('/user/activity'), as: 'demo', ready: /activity/i },
  { name: 'account-tokens', url: portal('/user/tokens'), as: 'demo', ready: /token/i },
  { name: 'account-applications', url: portal('/user/applications'), as: 'demo', ready: /applications/i },
  { name: 'account-data', url: portal('/user/data'), as: 'demo', ready: /archive/i },
  { name: 'orders', url: portal('/user/orders'), as: 'demo', ready: /Your orders/ },
  { name: 'order', url: portal('/user/orders/1'), as: 'demo', ready: /Monitoring box/ },
  { name: 'shop', url: portal('/shop'), as: 'demo', ready: /Monitoring box/ },
  { name: 'basket', url: portal('/shop/basket'), as: 'demo', ready: /Your basket is empty/ },
  { name: 'support-conversation', url: portal('/user/tickets/1'), as: 'demo', ready: /It comes on Monday/ },
  { name: 'support', url: portal('/user/tickets'), as: 'demo', ready: /Your requests/ },
  { name: 'invitations', url: portal('/user/invitations'), as: 'demo', ready: /invitations/i },
  { name: 'organization', url: portal('/organizations/:organization'), as: 'demo', ready: /colour/i },
  {
    name: 'organization-members',
    url: portal('/organizations/:organization/members'),
    as: 'demo',
    ready: /demo@heliograph.test/,
  },
  {
    name: 'organization-sites',
    url: portal('/organizations/:organization/sites'),
    as: 'demo',
    ready: /simulated plant/,
  },
  {
    name: 'organization-tickets',
    url: portal('/organizations/:organization/tickets'),
    as: 'demo',
    ready: /No ticket is found/,
  },
  {
    name: 'organization-support',
    url: portal('/organizations/:organization/support'),
    as: 'demo',
    ready: /No access is found/,
  },
  {
    name: 'organization-orders',
    url: portal('/organizations/:organization/orders'),
    as: 'demo',
    ready: /No order is found/,
  },
  {
    name: 'organization-catalogue',
    url: portal('/organizations/:organization/catalogue'),
    as: 'demo',
    ready: /No product is found/,
  },
  {
    name: 'organization-documents',
    url: portal('/organizations/:organization/documents'),
    as: 'demo',
    ready: /Privacy/,
  },
  {
    name: 'organization-applications',
    url: portal('/organizations/:organization/applications'),
    as: 'demo',
    ready: /No applications yet/,
  },
  {
    name: 'organization-messages',
    url: portal('/organizations/:organization/messages'),
    as: 'demo',
    ready: /Alerts of the sites of this organization/,
  },
  {
    name: 'organization-webhooks',
    url: portal('/organizations/:organization/webhooks'),
    as: 'demo',
    ready: /Roof report/,
  },
  {
    name: 'account-webhooks-form',
    url: portal('/user/webhooks'),
    as: 'demo',
    ready: /No webhooks yet/,
    open: press('Make a webhook', 'Address'),
  },
  { name: 'account-webhooks', url: portal('/user/webhooks'), as: 'demo', ready: /No webhooks yet/ },
  {
    name: 'organization-activation',
    url: portal('/organizations/:organization/activation'),
    as: 'demo',
    ready: /No codes/,
  },
  {
    name: 'organization-audit',
    url: portal('/organizations/:organization/audit'),
    as: 'demo',
    ready: /127\.0\.0\.1/,
  },
  { name: 'organizations', url: portal('/organizations'), as: 'demo', ready: /Organizations you work for/ },
  { name: 'operator-devices', url: portal('/operator'), as: 'demo', ready: /Add a device/ },
  {
    name: 'operator-activation',
    url: portal('/operator/activation'),
    as: 'demo',
    ready: /No requests are waiting/,
  },
  { name: 'operator-proxies', url: portal('/operator/proxies'), as: 'demo', ready: /Last contact/ },
  {
    name: 'operator-organizations',
    url: portal('/operator/organizations'),
    as: 'demo',
    ready: /Make an organization/,
  },
  {
    name: 'operator-people',
    url: portal('/operator/users'),
    as: 'demo',
    ready: /Account activity/,
  },
  { name: 'operator-tickets', url: portal('/operator/tickets'), as: 'demo', ready: /When does the box/ },
  { name: 'operator-ticket', url: portal('/operator/tickets/1'), as: 'demo', ready: /may be lost/ },
  { name: 'operator-support', url: portal('/operator/support'), as: 'demo', ready: /No access is found/ },
  { name: 'operator-orders', url: portal('/operator/orders'), as: 'demo', ready: /Monitoring box/ },
  { name: 'operator-order', url: portal('/operator/orders/1'), as: 'demo', ready: /Please ring twice/ },
  { name: 'operator-catalogue', url: portal('/operator/catalogue'), as: 'demo', ready: /Planned/ },
  { name: 'operator-audit', url: portal('/operator/audit'), as: 'demo', ready: /127\.0\.0\.1/ },
  {
    name: 'no-such-page',
    url: portal('/nowhere-at-all'),
    as: 'anonymous',
    ready: /no such page/,
    expectedErrors: [/status of 404/],
  },
  { name: 'device', url: device('/'), as: 'device', ready: /^Live$/ },
  { name: 'device-sign-in', url: device('/sign_in'), as: 'anonymous', ready: /password/i },
  { name: 'device-values', url: device('/values'), as: 'device', ready: /PV power/ },
  { name: 'device-history', url: device('/history'), as: 'device', ready: /history/i },
  { name: 'device-energy', url: device('/energy'), as: 'device', ready: /Power and charge/ },
  {
    name: 'device-prices',
    url: device('/energy'),
    as: 'device',
    ready: /Enter prices/,
    open: press('Enter prices', 'Valid from'),
  },
  { name: 'device-alerts', url: device('/alerts'), as: 'device', ready: /A battery is nearly empty/ },
  { name: 'device-settings', url: device('/settings'), as: 'device', ready: /Battery reserve/ },
  { name: 'device-log', url: device('/log'), as: 'device', ready: /Every change/ },
  { name: 'device-links', url: device('/links'), as: 'device', ready: /sunspec/i },
  { name: 'device-configuration', url: device('/configuration'), as: 'device', ready: /time zone/i },
  { name: 'device-probe', url: device('/probe'), as: 'device', ready: /Where to look/ },
  { name: 'device-claim', url: device('/claim'), as: 'device', ready: /demo/ },
  {
    name: 'device-password',
    url: device('/configuration/system'),
    as: 'device',
    ready: /Current password/,
  },
  {
    name: 'device-diagnostics',
    url: device('/configuration/diagnostics'),
    as: 'device',
    ready: /Make a diagnostic file/,
  },
  {
    name: 'device-backup',
    url: device('/configuration/backup'),
    as: 'device',
    ready: /Passphrase for the backup/,
  },
  { name: 'device-setup', url: device('/configuration/setup'), as: 'device', ready: /Where to look/ },
  {
    name: 'device-no-such-page',
    url: device('/configuration/nothing'),
    as: 'device',
    ready: /no such page/,
  },
];
