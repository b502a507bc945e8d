import { type CloudClient, createCloudClient } from '@heliograph/client';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestSystem } from '../src/testing/test-system.ts';
import { passBotCheck, tokenMailedTo } from './bot-check-client.ts';

/** A bot check is seconds of work on purpose, and far more on a busy machine; in milliseconds. */
const BOT_CHECK_TIMEOUT_MS = 120_000;

/** The SDK's client of the cloud. */
export function describeCloudSdk(systemOf: () => TestSystem): void {
  let system: TestSystem;
  let url: string;
  /** Without a token. */
  let signedOut: CloudClient;
  /** The demo account: owner of the demo site, admin of the demo organization, operator. */
  let demo: CloudClient;

  beforeAll(async () => {
    system = systemOf();
    ({ url } = system.run.cloud);
    signedOut = createCloudClient({ url });
    demo = clientOf(await signedOut.signIn(demoCredentials()));
  });

  const clientOf = ({ token }: { readonly token: string }) => createCloudClient({ url, token });

  function demoCredentials() {
    const { email, password } = system.run.account;
    return { email, password, organization_id: 'none' } as const;
  }

  describe('an account', { timeout: BOT_CHECK_TIMEOUT_MS }, () => {
    const email = 'amy@example.org';
    const password = 'Right 1 horse';
    let organizationId: number;
    let session: CloudClient;

    it('a new account signs in with the pending token once its email is confirmed', async () => {
      organizationId = system.run.organization.id;
      const { pending_token } = await signedOut.register({
        email,
        password,
        organization_id: organizationId,
        first_name: 'Amy',
        locale: 'de',
        verification_token: await passBotCheck(url),
      });
      const waiting = { email, pending_token, organization_id: organizationId };
      await expect(signedOut.signIn(waiting)).rejects.toMatchObject({ status: 412 });

      const token = await tokenMailedTo(url, email, 'confirm');
      await signedOut.confirmUser({ token, organization_id: organizationId });
      session = clientOf(await signedOut.signIn(waiting));
      expect(await session.getCurrentUser()).toMatchObject({
        email,
        first_name: 'Amy',
        locale: 'de',
        organization: { id: organizationId },
      });
    });

    it('an account changes its language', async () => {
      expect(await session.updateCurrentUser({ locale: 'fr' })).toMatchObject({ email, locale: 'fr' });
    });

    it('a person changes the name and the phone number', async () => {
      const phone = { phone_number: '+44 20 7946 0018' };
      expect(await session.updateProfile(phone)).toMatchObject({ email, first_name: 'Amy', ...phone });
    });

    it('the demo site names its inverter and its battery, and is found by them', async () => {
      for (const q of ['battery:"simulated lfp 10k"', 'inverter:"Simulated Hybrid 6k"']) {
        expect([q, await demo.listSites({ q })]).toMatchObject([
          q,
          [{ inverter: 'Simulated Hybrid 6k', battery: 'Simulated LFP 10k' }],
        ]);
      }
    });

    it('the directory lists an account for those who see it', async () => {
      expect(await demo.listUsers({ q: 'amy exam', limit: 5 })).toMatchObject([{ email }]);
      expect(await session.listUsers({ q: 'demo' })).toEqual([]);
    });

    it('a password reset by mail ends the sessions of the account', async () => {
      await signedOut.requestPasswordReset({ email, verification_token: await passBotCheck(url) });
      const reset = {
        token: await tokenMailedTo(url, email, 'password/reset'),
        password: 'Another 2 horses',
        organization_id: 'none',
      } as const;
      const renewed = clientOf(await signedOut.resetPassword(reset));
      expect(await renewed.getCurrentUser()).toMatchObject({ email, organization: null });
      await expect(session.getCurrentUser()).rejects.toMatchObject({ status: 401 });
    });
  });

  describe('a session', () => {
    it('a session signs in another page, whose session is listed and ended', async () => {
      const other = clientOf(await signedOut.signIn(await demo.handOverSession()));
      const [here] = (await other.listSessions()).filter(({ current }) => current);
      await demo.endSession({ id: here?.id ?? 0 });
      await expect(other.getCurrentUser()).rejects.toMatchObject({ status: 401 });
    });

    it('a session signs out', async () => {
      const client = clientOf(await signedOut.signIn(demoCredentials()));
      await client.signOut();
      await expect(client.getCurrentUser()).rejects.toMatchObject({ status: 401 });
    });

    it('a session makes an API token with some scopes, and revokes it', async () => {
      const made = await demo.createToken({
        name: 'directory',
        scopes: ['users:read_all'],
        organization_id: system.run.organization.id,
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      });
      const client = clientOf(made);
      expect(await client.listUsers()).not.toEqual([]);
      await expect(client.listSites()).rejects.toMatchObject({ status: 403 });
      expect(await demo.listTokens()).toContainEqual(expect.objectContaining({ id: made.id }));
      await demo.revokeToken({ id: made.id });
      await expect(client.listUsers()).rejects.toMatchObject({ status: 401 });
    });
  });

  describe('a site', () => {
    let id: number;
    beforeAll(() => {
      ({ id } = system.run.site);
    });

    it('a site gets another name, and an invalid one is refused', async () => {
      expect(await demo.renameSite({ id, name: 'other' })).toMatchObject({ id, name: 'other' });
      await demo.renameSite({ id, name: system.run.site.name });
      await expect(demo.renameSite({ id, name: 'no hostname' })).rejects.toMatchObject({ status: 422 });
    });

    it('a site is found on the network that it shares with the caller', async () => {
      const local = await demo.listLocalSites({ q: `uid:${system.run.device.uid}` });
      expect(local).toMatchObject([{ id, uid_match: true }]);
    });

    it('a site stays registered when its activation is requested again', async () => {
      const answer = await demo.requestActivation({ uid: system.run.device.uid, message: 'Please' });
      expect(answer).toMatchObject({ status: 'activated', id });
    });

    it('a site reports its reachability', async () => {
      expect(await demo.probeSite({ id })).toMatchObject({ reachable: true, status: 'connected' });
    });

    it('a site has an invited member, who sees it until the membership ends', async () => {
      const email = 'ben@example.org';
      const names = { first_name: 'Ben', last_name: 'Example' };
      const { id: userId } = await demo.inviteSiteMember({ id, email, role: 'member', ...names });
      const first = {
        token: await tokenMailedTo(url, email, 'password/set'),
        password: 'Right 1 horse',
        organization_id: 'none',
        accepted_terms: true,
      } as const;
      const ben = clientOf(await signedOut.setPassword(first));

      const users = [{ role: 'owner' }, { id: userId, role: 'member' }];
      expect(await ben.getSite({ id })).toMatchObject({ users });
      const promoted = await demo.updateSiteMember({ id, user_id: userId, role: 'admin' });
      expect(promoted).toMatchObject({ id: userId, role: 'admin' });
      expect(await ben.listSiteMembers({ id })).toHaveLength(2);
      await demo.removeSiteMember({ id, user_id: userId });
      await expect(ben.getSite({ id })).rejects.toMatchObject({ status: 404 });
    });
  });

  describe('an organization', () => {
    it('an organization is listed for its employees, is public, and invites and removes employees', async () => {
      const { id } = system.run.organization;
      const [own] = await demo.listOrganizations();
      expect(own).toMatchObject({ id, role: 'admin' });
      expect(await demo.getOrganization({ id })).toMatchObject({ id, name: own?.name });

      const names = { first_name: 'Cy', last_name: 'Example' };
      const cy = await demo.addOrganizationMember({ id, email: 'cy@example.org', role: 'member', ...names });
      expect(await demo.listOrganizationMembers({ id })).toContainEqual(cy);
      await demo.removeOrganizationMember({ id, user_id: cy.id });
      expect(await demo.listOrganizationMembers({ id })).not.toContainEqual(cy);
    });

    it('an organization makes applications, whose secret is shown once and replaced', async () => {
      const { id } = system.run.organization;
      const { client_secret: secret, ...made } = await demo.createApplication({
        id,
        name: 'Roof planner',
        redirect_uris: ['https://planner.example.org/signed-in'],
        scopes: ['openid'],
      });
      const application = { id, client_id: made.client_id };
      expect(await demo.listApplications({ id })).toEqual([made]);
      const changed = await demo.updateApplication({ ...application, redirect_uris: [] });
      expect(await demo.getApplication(application)).toEqual(changed);
      expect((await demo.replaceApplicationSecret(application)).client_secret).not.toBe(secret);
      await demo.deleteApplication(application);
      expect(await demo.listApplications({ id })).toEqual([]);
    });
  });

  describe('connections of third parties', () => {
    it('a new account has no connections, and revoking an unknown one is refused', async () => {
      const { id } = system.run.site;
      expect(await demo.listConnections()).toEqual([]);
      expect(await demo.listSiteConnections({ id })).toEqual({ organizations: [], connections: [] });
      await expect(demo.endConnection({ id: 'none' })).rejects.toMatchObject({ status: 404 });
      const unknown = demo.endSiteConnection({ id, connection_id: 'none' });
      await expect(unknown).rejects.toMatchObject({ status: 404 });
    });
  });
}
