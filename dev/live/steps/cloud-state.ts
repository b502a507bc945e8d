import { deepEqual, equal } from 'node:assert/strict';
import type { Live } from '../live.ts';
import type { CausedLine } from '../log-lines.ts';
import { until } from '../until.ts';

const LATE_EMAIL = 'ida@heliograph.test';

export const RELEASED: CausedLine = {
  log: 'device',
  pattern: /"reason":"the proxy ends this tunnel".*"not reachable from outside"/,
  why: 'its site is released by mistake',
};

/** Accounts, sites and settings in the cloud, as people read them. */
export type CloudState = Readonly<Record<string, unknown>>;

/** Signs the owner in by the password. */
export async function stateOfCloud(live: Live): Promise<CloudState> {
  const owner = await live.signedIn();
  const { id } = live.system.run.site;
  const { name, hostname, members, tags } = { ...(await owner.getSite({ id })) } as Record<string, unknown>;
  const state = {
    site: { id, name, hostname, members, tags },
    accounts: (await live.admin<readonly { email: string }[]>('users', 'list')).map(({ email }) => email),
    organizations: (await owner.listOrganizations()).map((one) => [one.id, one.name]),
    tokens: (await owner.listTokens()).map((token) => [token.id, token.name, token.scopes]),
    webhooks: (await owner.listWebhooks()).map((webhook) => [webhook.id, webhook.url, webhook.types]),
    notifications: await owner.getNotificationSettings(),
    offlineAlert: await owner.getOfflineAlert({ id }),
  };
  await owner.signOut();
  return state;
}

/** Settings that a backup begun before them does not have. */
export async function changeSettings(live: Live, tag: string): Promise<void> {
  const owner = await live.signedIn();
  const { id } = live.system.run.site;
  await owner.setSiteTags({ id, tags: [tag] });
  await owner.changeNotificationSettings({ cleared: false, quiet_hours: { from: '22:00', until: '06:30' } });
  await owner.signOut();
}

/** The site is released and settings change, by mistake. @returns an API token that was made afterwards */
export async function makeMistakes(live: Live): Promise<string> {
  const owner = await live.signedIn();
  await owner.changeNotificationSettings({ cleared: true, mail: false, quiet_hours: null });
  await owner.releaseSite({ id: live.system.run.site.id });
  deepEqual(await owner.listSites(), []);
  await until('the device has lost its tunnel', async () => {
    const answer = await fetch(`${live.system.run.device.url}/readyz`);
    const { checks } = (await answer.json()) as {
      readonly checks: readonly { name: string; status: string }[];
    };
    return checks.some(({ name, status }) => name === 'cloud' && status === 'warning');
  });
  const { token } = await owner.createToken({
    name: 'Late',
    scopes: ['sites:read_all'],
    organization_id: 'none',
    expires_at: null,
  });
  await live.admin('users', 'create', LATE_EMAIL, '--first-name', 'Grace', '--last-name', 'Hopper');
  return token;
}

/** @param lateToken made after the backup */
export async function assertRestored(live: Live, before: CloudState, lateToken: string): Promise<void> {
  deepEqual(await stateOfCloud(live), before);
  const refusal = await live
    .cloud(lateToken)
    .listSites()
    .catch((error: { status?: number }) => error.status);
  equal(refusal, 401);
  await live.siteAnswers();
}
