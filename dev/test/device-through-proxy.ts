import { createCloudClient, DeviceClient, fetchDiagnostics } from '@heliograph/client';
import { strFromU8, unzipSync } from 'fflate';
import { Compile } from 'typebox/schema';
import { beforeAll, describe, expect, it } from 'vitest';
import { resolvedSchema } from '../src/testing/resolved-schema.ts';
import type { TestSystem } from '../src/testing/test-system.ts';

interface DeviceDocument {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
  readonly paths: {
    readonly '/api/v1/metrics': {
      readonly post: {
        readonly responses: {
          readonly 422: { readonly content: { readonly 'application/json': { readonly schema: object } } };
        };
      };
    };
  };
}

/** Limits for those who configure a device through the proxy: it reveals no files and no other hosts of the home. */
export function describeDeviceThroughProxy(systemOf: () => TestSystem): void {
  let onLan: DeviceClient;
  let throughProxy: DeviceClient;
  let userId: number;

  beforeAll(async () => {
    const { cloud, account, device, site } = systemOf().run;
    onLan = new DeviceClient({ address: new URL(device.url).host, password: device.password });
    const client = createCloudClient({ url: cloud.url, token: account.api_token });
    userId = (await client.getCurrentUser()).id;
    throughProxy = await client.device(site.id, { schemeOf: () => 'http' });
  });

  const refusal = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => 'done',
      ({ status, body }) => ({ status, body }),
    );

  const unpacked = async (bundle: Blob): Promise<Record<string, string>> => {
    const files = unzipSync(new Uint8Array(await bundle.arrayBuffer()));
    return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
  };

  describe('a caller through the proxy', () => {
    it('a diagnostic bundle comes whole through the tunnel, named after the site, without the password of the device', async () => {
      const { site, device } = systemOf().run;
      const bundle = await fetchDiagnostics(throughProxy, { frames: true });
      expect(bundle.name).toMatch(new RegExp(`^diagnostics-${site.name}-\\d{8}T\\d{6}Z\\.zip$`));
      const files = await unpacked(bundle);
      expect(JSON.parse(files['manifest.json'] ?? '')).toMatchObject({ left_out: [] });
      expect(JSON.parse(files['network.json'] ?? '')).toMatchObject({ proxy: { is_reached: true } });
      const text = Object.values(files).join('');
      expect(text).not.toContain(device.password);
      expect(text).not.toContain(device.uid);
    });

    it.each(['127.0.0.1:22', '169.254.169.254:80', '[::1]:22', 'localhost:22', '203.0.113.9:80'])(
      'the device refuses to probe %s',
      async (address) => {
        expect(await refusal(throughProxy.probes.start({ bus: `modbus-tcp://${address}` }))).toMatchObject({
          status: 422,
        });
      },
    );

    it.each(['serial:///etc/shadow', 'serial:///nonexistent'])(
      'the device refuses to open %s',
      async (bus) => {
        expect(await refusal(throughProxy.probes.start({ bus }))).toMatchObject({ status: 422 });
      },
    );

    it('the refusal of a write has no field that the document of the device lacks', async () => {
      const topic = 'inverter_1/battery_reserve';
      const { body } = (await refusal(throughProxy.set(topic, '101'))) as { readonly body: object };
      expect(body).toMatchObject({ outcome: 'not sent', reason: 'invalid_value' });
      const answer = await fetch(`${systemOf().run.device.url}/openapi.json`);
      const { paths, components } = (await answer.json()) as DeviceDocument;
      const { schema } = paths['/api/v1/metrics'].post.responses[422].content['application/json'];
      const described = resolvedSchema(schema, components.schemas) as { readonly properties: object };
      expect(Object.keys(described.properties)).toEqual(expect.arrayContaining(Object.keys(body)));
      expect(Compile(described).Errors(body)).toEqual([true, []]);
    });

    it('the document of the device names the address of the proxy first, with its scheme', async () => {
      const { cloud, account, site, proxy } = systemOf().run;
      const client = createCloudClient({ url: cloud.url, token: account.api_token });
      const { token, site_id, site_key } = await client.authorizeSite({ id: site.id });
      const headers = {
        authorization: `Bearer ${token}`,
        'site-id': String(site_id),
        'site-key': String(site_key),
      };
      const answer = await fetch(`http://${proxy.host}/openapi.json`, { headers });
      expect(await answer.json()).toMatchObject({
        servers: [{ url: `http://${proxy.host}` }, { url: 'http://{device}' }, { url: 'https://{proxy}' }],
      });
    });

    it('every path of a file gets the same refusal', async () => {
      const { mqtt } = await onLan.configuration.get();
      const url = mqtt?.url ?? 'mqtt://127.0.0.1:1';
      const answers = await Promise.all(
        ['/etc/shadow', '/nonexistent', '/etc/hostname', '/etc'].map((ca_file) =>
          refusal(throughProxy.configuration.change({ mqtt: { url, ca_file } })),
        ),
      );
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(answers[0]).toMatchObject({ status: 422 });
    });

    it('the device refuses a broker of its own machine or of the internet', async () => {
      for (const url of [
        'mqtt://127.0.0.1',
        'ws://127.0.0.1:8080/reset?all=1',
        'mqtt://broker.example.org',
      ]) {
        expect(await refusal(throughProxy.configuration.change({ mqtt: { url } }))).toMatchObject({
          status: 422,
        });
      }
    });

    it('the device refuses what only its own page may do, such as backups and restores', async () => {
      const { cloud, account, device, site } = systemOf().run;
      const client = createCloudClient({ url: cloud.url, token: account.api_token });
      const { host, token, site_id, site_key } = await client.authorizeSite({ id: site.id });
      const routes = [
        ...[
          'POST /api/v1/backup',
          'POST /api/v1/backup/cloud',
          'PUT /api/v1/restore',
          'POST /api/v1/restore',
        ],
        ...['POST /api/v1/store', 'POST /api/v1/session', 'DELETE /api/v1/session', 'PUT /api/v1/password'],
      ];
      const headers = {
        authorization: `Bearer ${token}`,
        'site-id': `${site_id}`,
        'site-key': site_key,
        origin: `http://${host}`,
        'content-type': 'application/json',
      };
      const { password } = device;
      const body = JSON.stringify({ password, current: password, passphrase: 'twelve characters or more' });
      for (const route of routes) {
        const [method = '', path] = route.split(' ');
        const answer = await fetch(`http://${host}${path}`, { method, headers, body });
        const refusal = { error: 'This is for the network that the device is on' };
        expect([route, answer.status, await answer.json()]).toEqual([route, 403, refusal]);
      }
    });

    it('the device refuses a connection to itself', async () => {
      const { connections } = await onLan.configuration.get();
      const added = [...connections, { driver: 'sunspec', bus: 'modbus-tcp://127.0.0.1:22' }];
      expect(await refusal(throughProxy.configuration.change({ connections: added }))).toMatchObject({
        status: 422,
      });
    });
  });

  it('the audit log records the author and the broker of a configuration change through the proxy', async () => {
    const before = await onLan.configuration.get();
    const settled = () =>
      expect
        .poll(async () => (await onLan.configuration.get().catch(() => undefined))?.taking_effect)
        .toBe(false);
    await throughProxy.configuration.change({
      mqtt: { url: 'mqtt://192.168.199.199', password: 's3cret', allow_writes: true },
    });
    await settled();
    const [entry] = await onLan.audit({ limit: 1 });
    expect(entry).toMatchObject({
      action: 'configuration.change',
      author: `user ${userId}`,
      via: 'proxy',
      address: '127.0.0.1',
      outcome: 'ok',
    });
    const changed = new Map(entry?.changes.map(({ field, new_value }) => [field, new_value]));
    expect(changed.get('mqtt.url')).toBe('mqtt://192.168.199.199');
    expect(changed.get('mqtt.allow_writes')).toBe('true');
    expect(changed.get('mqtt.password')).toBe('changed');
    expect(before.mqtt).toBeNull();
    await onLan.configuration.change({ mqtt: null });
    await settled();
    expect((await onLan.audit({ limit: 1 }))[0]).toMatchObject({ author: 'local', via: 'lan' });
  });

  it('a caller on the network gets the reason why a file cannot be used', async () => {
    const change = onLan.configuration.change({
      mqtt: { url: 'mqtt://127.0.0.1:1', ca_file: '/nonexistent' },
    });
    await expect(change).rejects.toThrow(/ENOENT/);
  });
}
