import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Step } from '../step.ts';
import { until } from '../until.ts';
import { siteRequest } from './site-request.ts';

const EMAIL = 'grace@heliograph.test';
const RESERVE = 'inverter_1/battery_reserve';

export const supportSession: Step = {
  name: 'support-session',
  title: 'support is let in by the owner, writes a setting by its name, and is out when the owner ends it',
  async run(live) {
    const { id } = live.system.run.site;
    const names = ['--first-name', 'Grace', '--last-name', 'Hopper'];
    await live.admin('users', 'create', EMAIL, ...names, '--staff');
    const { token } = await live.admin<{ token: string }>(
      ...['tokens', 'create', EMAIL, '--name', 'Support', '--scopes', 'all'],
    );
    const support = live.cloud(token);
    const owner = await live.signedIn();

    const reason = 'The battery does not charge.';
    const requested = await support.openRecoverySession({
      ...{ id, reason, access: 'settings', party: 'operator' },
    });
    equal(requested.state, 'requested');
    await live.mail(live.system.run.account.email, /asks for access to demo$/);
    const session = { id, session_id: requested.id };
    equal((await owner.approveRecoverySession({ ...session, access: 'settings' })).state, 'active');

    const authorization = await support.authorizeSite({ id, roles: 'recovery' });
    const request = (path: string, init?: RequestInit) =>
      siteRequest(live, 'proxy', authorization, path, init);
    equal((await request('/api/v1/configuration')).status, 200);
    const body = JSON.stringify({ topic: RESERVE, value: '22' });
    equal((await request('/api/v1/metrics', { method: 'POST', body })).status, 200);
    equal(await live.device().value(RESERVE), '22');
    const [write] = await live.device().settingWrites({ limit: 1 });
    equal(write?.author, `support: Grace Hopper, session ${requested.id}`);
    const events = await until('the cloud has what support did', async () => {
      const found = await owner.listRecoverySessionEvents(session);
      return found.some(({ kind }) => kind === 'setting_written') && found;
    });
    ok(events.some(({ kind, subject }) => kind === 'setting_written' && subject === `${RESERVE} = 22`));

    await owner.endRecoverySession(session);
    await until(
      'the device refused support',
      async () => (await request('/api/v1/metrics?topic=total/*')).status === 401,
    );
    const ended = await owner.getRecoverySession(session);
    deepEqual([ended.state, ended.end_reason, ended.changes], ['ended', 'owner', 1]);
    const log = await live.heliograph(['admin', 'audit', '--limit', '20']);
    for (const action of ['requested', 'approved', 'ended']) match(log, new RegExp(`recovery\\S*${action}`));
    await owner.signOut();
  },
};
