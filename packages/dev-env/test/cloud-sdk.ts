import { CloudAccounts, CloudClient } from '@heliograph/client';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestSystem } from '../src/testing/test-system.ts';
import { passBotCheck, tokenMailedTo } from './bot-check-client.ts';

/** A bot check is seconds of work on purpose, and far more on a busy machine; in milliseconds. */
const BOT_CHECK_TIMEOUT_MS = 120_000;

/** The SDK's client of the cloud. */
export function describeCloudSdk(systemOf: () => TestSystem): void {
  let system: TestSystem;
  let url: string;
  let accounts: CloudAccounts;
  /** The demo account: owner of the demo site, admin of the demo organization, operator. */
  let demo: CloudClient;

  beforeAll(async () => {
    system = systemOf();
    ({ url } = system.run.cloud);
    accounts = new CloudAccounts(url);
    const { email, password } = system.run.account;
    demo = new CloudClient({ url, token: (await accounts.signIn({ email, password })).token });
  });

  const clientOf = ({ token }: { readonly token: string }) => new CloudClient({ url, token });

  describe('an account', { timeout: BOT_CHECK_TIMEOUT_MS }, () => {
    const email = 'amy@example.org';
    const password = 'Right 1 horse';
    let organizationId: number;
    let session: CloudClient;

    it('a new account signs in with the pending token once its email is confirmed', async () => {
      organizationId = system.run.organization.id;
      const registration = { email, password, organizationId, firstName: 'Amy', locale: 'de' } as const;
      const verificationToken = await passBotCheck(url);
      const { pending_token: pendingToken } = await accounts.register({ ...registration, verificationToken });
      const waiting = { email, pendingToken, organizationId };
      await expect(accounts.signIn(waiting)).rejects.toMatchObject({ status: 412 });

      await accounts.confirm(await tokenMailedTo(url, email, 'confirm'), { organizationId });
      session = clientOf(await accounts.signIn(waiting));
      expect(await session.user()).toMatchObject({
        email,
        first_name: 'Amy',
        locale: 'de',
        organization: { id: organizationId },
      });
    });

    it('an account changes its language', async () => {
      expect(await session.setLocale('fr')).toMatchObject({ email, locale: 'fr' });
    });

    it('the directory lists an account for those who see it', async () => {
      expect(await demo.users({ q: 'amy exam', limit: 5 })).toMatchObject([{ email }]);
      expect(await session.users({ q: 'demo' })).toEqual([]);
    });

    it('a password reset by mail ends the sessions of the account', async () => {
      await accounts.requestPasswordReset({ email, verificationToken: await passBotCheck(url) });
      const token = await tokenMailedTo(url, email, 'password/reset');
      const renewed = clientOf(await accounts.resetPassword({ token, password: 'Another 2 horses' }));
      expect(await renewed.user()).toMatchObject({ email, organization: null });
      await expect(session.user()).rejects.toMatchObject({ status: 401 });
    });
  });

  describe('a session', () => {
    it('a session signs in another page, whose session is listed and ended', async () => {
      const { session_token: sessionToken } = await demo.createSessionToken();
      const other = clientOf(await accounts.signIn({ sessionToken }));
      const [here] = (await other.tokens.sessions()).filter(({ current }) => current);
      await demo.tokens.endSession(here?.id ?? 0);
      await expect(other.user()).rejects.toMatchObject({ status: 401 });
    });

    it('a session signs out', async () => {
      const { email, password } = system.run.account;
      const client = clientOf(await CloudClient.signIn({ url, email, password }));
      await client.signOut();
      await expect(client.user()).rejects.toMatchObject({ status: 401 });
    });

    it('a session makes an API token with some scopes, and revokes it', async () => {
      const made = await demo.tokens.create({
        name: 'directory',
        scopes: ['users:read_all'],
        organizationId: system.run.organization.id,
        expiresAt: new Date(Date.now() + 3_600_000),
      });
      const client = clientOf(made);
      expect(await client.users()).not.toEqual([]);
      await expect(client.sites()).rejects.toMatchObject({ status: 403 });
      expect(await demo.tokens.list()).toContainEqual(expect.objectContaining({ id: made.id }));
      await demo.tokens.revoke(made.id);
      await expect(client.users()).rejects.toMatchObject({ status: 401 });
    });
  });

  describe('a site', () => {
    const site = () => system.run.site;

    it('a site gets another name, and an invalid one is refused', async () => {
      expect(await demo.renameSite(site().id, 'other')).toMatchObject({ id: site().id, name: 'other' });
      await demo.renameSite(site().id, site().name);
      await expect(demo.renameSite(site().id, 'no hostname')).rejects.toMatchObject({ status: 422 });
    });

    it('a site is found on the network that it shares with the caller', async () => {
      const local = await demo.localSites(system.run.device.uid);
      expect(local).toMatchObject([{ id: site().id, uid_match: true }]);
    });

    it('a site stays registered when its activation is requested again', async () => {
      const answer = await demo.requestActivation({ uid: system.run.device.uid, message: 'Please' });
      expect(answer).toMatchObject({ status: 'activated', id: site().id });
    });

    it('a site reports its reachability', async () => {
      expect(await demo.reachability(site().id)).toMatchObject({ reachable: true, status: 'connected' });
    });

    it('a site has an invited member, who sees it until the membership ends', async () => {
      const members = demo.members(site().id);
      const invited = {
        email: 'ben@example.org',
        role: 'member',
        firstName: 'Ben',
        lastName: 'Example',
      } as const;
      const { id } = await members.invite(invited);
      const token = await tokenMailedTo(url, invited.email, 'password/set');
      const password = 'Right 1 horse';
      const ben = clientOf(await accounts.setPassword({ token, password, acceptedTerms: true }));

      expect(await ben.site(site().id)).toMatchObject({ users: [{ role: 'owner' }, { id, role: 'member' }] });
      expect(await members.changeRole(id, 'admin')).toMatchObject({ id, role: 'admin' });
      expect(await ben.members(site().id).list()).toHaveLength(2);
      await members.remove(id);
      await expect(ben.site(site().id)).rejects.toMatchObject({ status: 404 });
    });
  });

  describe('an organization', () => {
    it('an organization is listed for its employees, is public, and invites and removes employees', async () => {
      const { id } = system.run.organization;
      const [own] = await demo.organizations.list();
      expect(own).toMatchObject({ id, role: 'admin' });
      expect(await demo.organizations.get(id)).toMatchObject({ id, name: own?.name });

      const employees = demo.organizations.members(id);
      const invited = {
        email: 'cy@example.org',
        role: 'member',
        firstName: 'Cy',
        lastName: 'Example',
      } as const;
      const cy = await employees.invite(invited);
      expect(await employees.list()).toContainEqual(cy);
      await employees.remove(cy.id);
      expect(await employees.list()).not.toContainEqual(cy);
    });

    it('an organization makes applications, whose secret is shown once and replaced', async () => {
      const applications = demo.organizations.applications(system.run.organization.id);
      const { client_secret: secret, ...made } = await applications.create({
        name: 'Roof planner',
        redirectUris: ['https://planner.example.org/signed-in'],
        scopes: ['openid'],
      });
      expect(await applications.list()).toEqual([made]);
      const changed = await applications.change(made.client_id, { redirectUris: [] });
      expect(await applications.get(made.client_id)).toEqual(changed);
      expect((await applications.replaceSecret(made.client_id)).client_secret).not.toBe(secret);
      await applications.delete(made.client_id);
      expect(await applications.list()).toEqual([]);
    });
  });

  describe('connections of third parties', () => {
    it('a new account has no connections, and revoking an unknown one is refused', async () => {
      const { id } = system.run.site;
      expect(await demo.connections.list()).toEqual([]);
      expect(await demo.connections.ofSite(id)).toEqual({ organizations: [], connections: [] });
      await expect(demo.connections.revoke('none')).rejects.toMatchObject({ status: 404 });
      await expect(demo.connections.revokeOnSite(id, 'none')).rejects.toMatchObject({ status: 404 });
    });
  });
}
