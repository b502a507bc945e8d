import { createCloudClient, DeviceClient } from '@heliograph/client';
import type { Factory } from '@heliograph/cloud/testing';
import { SESSION_SCOPES } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BrokerClient, startHomeBroker } from '../live/broker-client.ts';
import type { TestSystem } from '../src/testing/test-system.ts';

/** Revocations reach a device within ten seconds; a loaded machine takes longer. */
const PATIENCE = { timeout: 60_000, interval: 100 };

const RESERVE = 'inverter_1/battery_reserve';
const ANSWER = 'solar_assistant/set/response_message/state';

/** Writing at the broker of a home, by the right of the person who configured it. It releases the site in the end. */
export function describeDelegations(systemOf: () => TestSystem, makeOf: () => Factory): void {
  const undo = new AsyncDisposableStack();
  let system: TestSystem;
  let onLan: DeviceClient;
  let make: Factory;
  let broker: BrokerClient;

  beforeAll(async () => {
    system = systemOf();
    const { device } = system.run;
    make = makeOf();
    onLan = new DeviceClient({ address: new URL(device.url).host, password: device.password });
    const { url, stop } = await startHomeBroker(system.dataFolder);
    undo.defer(() => stop());
    broker = undo.use(await BrokerClient.connect(url));
    await onLan.configuration.change({ mqtt: { url } });
    await settled();
  });
  afterAll(() => undo.disposeAsync());

  const settled = () =>
    vi.waitFor(async () => expect((await onLan.configuration.get()).taking_effect).toBe(false), PATIENCE);

  /** Through the proxy, once the device has dialled it: a configuration that takes effect restarts the tunnel, too. */
  async function deviceOf(token: string): Promise<DeviceClient> {
    const cloud = createCloudClient({ url: system.run.cloud.url, token });
    const device = await cloud.device(system.run.site.id, { schemeOf: () => 'http' });
    await expect.poll(() => device.configuration.get().catch(() => undefined), PATIENCE).toBeDefined();
    return device;
  }

  async function admin() {
    const user = await make.user();
    await make.member(system.run.site.id, user.id, 'admin');
    const session = await make.token(user.id, { kind: 'session', scopes: SESSION_SCOPES });
    return { ...user, session };
  }

  const call = async (method: string, path: string, token = system.run.account.api_token) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(system.run.cloud.url + path, { method, headers })).status;
  };

  /** Publishes a value as a program of the home does. @returns the device's answer */
  async function publish(value: string): Promise<string> {
    await expect.poll(() => broker.latest.get('solar_assistant/status'), PATIENCE).toBe('online');
    // After a restart the inverter has to be read first.
    await expect.poll(() => reserve().catch(() => ''), PATIENCE).not.toBe('');
    broker.latest.delete(ANSWER);
    await broker.publish(`solar_assistant/${RESERVE}/set`, value);
    await expect.poll(() => broker.latest.get(ANSWER), PATIENCE).toBeDefined();
    return broker.latest.get(ANSWER) ?? '';
  }

  const reserve = () => onLan.value(RESERVE);
  const delegated = async () => (await onLan.configuration.get()).delegations;
  const suspension = (reason: string | null) =>
    expect
      .poll(
        async () => (await delegated().catch(() => undefined))?.map(({ suspended }) => suspended),
        PATIENCE,
      )
      .toEqual([reason]);
  const mails = async () => {
    const answer = await fetch(`${system.run.cloud.url}/mailbox.json`);
    const all = (await answer.json()) as { to: string; subject: string }[];
    return all.filter(({ subject }) => subject.startsWith('Changes of settings of')).length;
  };

  describe('a set request at the broker that an admin configured', () => {
    it('a broker writes no more once the admin is removed, until the owner allows it again', async () => {
      const { id, session } = await admin();
      await (await deviceOf(session)).configuration.change({ mqtt: { allow_writes: true } });
      await settled();
      expect(await publish('41')).toBe('Saved');
      expect(await reserve()).toBe('41');
      const [write] = await onLan.settingWrites({ limit: 1 });
      expect(write?.author).toMatch(new RegExp(`^user ${id}, by MQTT mqtt://`));
      const mailed = await mails();

      expect(await call('DELETE', `/api/v1/sites/${system.run.site.id}/users/${id}`)).toBe(204);
      await suspension('role');
      expect(await publish('42')).toBe(
        `Error: ${RESERVE} was not written: user ${id} set this up and may not change settings of this home any more; it can be allowed again on the device's page "Configuration"`,
      );
      expect(await reserve()).toBe('41');
      expect(await mails()).toBe(mailed + 1);

      system.parts.device.kill('SIGTERM');
      await expect.poll(() => delegated().catch(() => undefined), PATIENCE).toBeDefined();
      await suspension('role');
      expect(await publish('43')).toContain('was not written');

      const owner = await deviceOf(system.run.account.api_token);
      // Other fields of the page do not allow it again.
      await owner.configuration.change({ poll_interval_s: 0.4, mqtt: { allow_writes: true } });
      await settled();
      await suspension('role');
      const [found] = await delegated();
      await owner.configuration.keepDelegation(found?.id ?? '');
      expect(await publish('44')).toBe('Saved');
      expect(await reserve()).toBe('44');
      const [kept] = await delegated();
      expect(kept?.author).toMatch(/^user \d+$/);
      expect(kept?.author).not.toBe(`user ${id}`);
      await owner.configuration.endDelegation(found?.id ?? '');
      await settled();
      expect(await delegated()).toEqual([]);
      expect((await onLan.configuration.get()).mqtt?.allow_writes).toBe(false);
      expect(await publish('45')).toContain('writes over MQTT are switched off');
    });

    /** A broker that an API token of an admin lets write. */
    async function configuredBy(token: string): Promise<void> {
      await (await deviceOf(token)).configuration.change({ mqtt: { allow_writes: true } });
      await settled();
    }

    it('a broker writes no more once the API token was revoked, while the device was off', async () => {
      const { session } = await admin();
      const made = await createCloudClient({ url: system.run.cloud.url, token: session }).createToken({
        name: 'automation',
        scopes: ['sites:read_all', 'sites:write_all'],
      });
      await configuredBy(made.token);
      expect(await publish('46')).toBe('Saved');
      system.parts.device.kill('SIGKILL', 3_000);
      expect(await call('DELETE', `/api/v1/user/tokens/${made.id}`, session)).toBe(204);
      await suspension('token');
      expect(await publish('47')).toContain('the API token');
      expect(await reserve()).toBe('46');
      // The household may decide on its network with the password, too.
      const [found] = await delegated();
      await onLan.configuration.keepDelegation(found?.id ?? '');
      expect(await publish('48')).toBe('Saved');
      await onLan.configuration.endDelegation(found?.id ?? '');
      await settled();
    });

    it('a broker writes no more once the API token has expired', async () => {
      const { id } = await admin();
      await configuredBy(await make.token(id, { expiresAt: new Date(Date.now() + 30_000) }));
      await suspension('token');
      expect(await publish('49')).toContain('has expired');
      await onLan.configuration.change({ mqtt: { allow_writes: false } });
      await settled();
    });

    it('a broker writes no more once the site is released', async () => {
      const { token } = await admin();
      await configuredBy(token);
      expect(await publish('51')).toBe('Saved');
      expect(await call('DELETE', `/api/v1/sites/${system.run.site.id}`)).toBe(204);
      await suspension('site');
      expect(await publish('52')).toContain('belonged to another site');
      expect(await reserve()).toBe('51');
    });
  });
}
