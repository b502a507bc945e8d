import { Writable } from 'node:stream';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { createLogger, ManualClock, wait } from '@heliograph/kit';
import { revocationSignal, verifyDeviceProof } from '@heliograph/wire';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SITE_ID } from '../../../test/cloud/uplink/test-cloud.ts';
import { startTestProxy } from '../../../test/cloud/uplink/test-proxy.ts';
import {
  FACTS,
  startTestUplink,
  type TestUplink,
  type TestUplinkOptions,
} from '../../../test/cloud/uplink/test-uplink.ts';
import { UPLINK_TIMES } from './uplink-times.ts';

const pause = vi.fn(wait);

/** The waits of the uplink that began so far, in milliseconds. */
const waits = () => pause.mock.calls.map(([ms]) => ms);

/** Of pino. */
const INFO = 30;

/** Between checks for something to report, where none is wanted. */
const CHECK_MS = 1e9;

/** Records each wait of the uplink and lets it pass immediately, but those between checks. */
const passing =
  (waited: number[]): typeof wait =>
  (ms, signal) => {
    if (ms >= CHECK_MS) return wait(ms, signal);
    waited.push(ms);
    return wait(0, signal);
  };

let system: TestUplink;
const start = async (options: TestUplinkOptions = {}, prepare?: (made: TestUplink) => void) => {
  system = await startTestUplink({ pause, ...options });
  prepare?.(system);
  system.uplink.start();
};
afterEach(async () => {
  await system.stop();
  pause.mockClear();
});

const becomes = (state: string, reason: unknown = expect.anything()) =>
  expect.poll(() => system.uplink.status, { interval: 5 }).toMatchObject({ state, reason });

const read = async () =>
  system.proxy.request('/api/v1/metrics?topic=total/pv_power&value=1', {
    authorization: `Bearer ${await system.cloud.siteToken()}`,
    'site-id': String(SITE_ID),
    'site-key': system.cloud.siteKey,
  });

describe('Uplink on its way up', () => {
  it('the uplink proves the device’s key, reports the facts, learns the site and dials the proxy with the token', async () => {
    await start();
    await becomes('online', null);
    const [body] = system.cloud.connects;
    expect(body?.facts).toEqual(FACTS);
    const proof = body?.proof ?? '';
    await verifyDeviceProof(proof, body?.public_key ?? {}, system.uid, system.cloud.url, Date.now());
    expect(system.device.access.site.id).toBe(SITE_ID);
    expect(system.device.store.get('site_id')).toBe('7');
    expect(system.proxy.dials[0]).toMatchObject({
      upgrade: 'heliograph-tunnel/2',
      authorization: 'Bearer a tunnel token',
    });
    expect((await read()).body).toBe('1240');
  });

  it('the device learns with the answer which releases its owner chose, and nothing from a cloud that does not know', async () => {
    const learned: unknown[] = [];
    const updates = { channel: 'beta', automatic: true } as const;
    await start({ onUpdates: (ofSite) => learned.push(ofSite) }, (made) => {
      made.cloud.answer = { ...made.ready, updates };
    });
    await becomes('online', null);
    expect(learned).toEqual([updates]);
    await system.stop();
    await start({ onUpdates: (ofSite) => learned.push(ofSite) });
    await becomes('online', null);
    expect(learned).toHaveLength(1);
  });

  it('an answer of a newer cloud brings the device online, without the channel and the access that it does not know', async () => {
    const learned: unknown[] = [];
    const session = { id: 1, access: 'diagnose', reason: 'No sun at noon', firm: null };
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    await start({ onUpdates: (ofSite) => learned.push(ofSite) }, (made) => {
      made.cloud.answer = {
        ...made.ready,
        updates: { channel: 'nightly', automatic: true },
        support: {
          sessions: [
            { ...session, expires_at },
            { ...session, id: 2, access: 'rewire', expires_at },
          ],
          received: [],
        },
      };
    });
    await becomes('online', null);
    expect(learned).toEqual([]);
    expect(system.device.access.support.show().sessions).toMatchObject([{ id: 1, access: 'diagnose' }]);
  });

  it('hardware that is found while the tunnel is up is reported to the cloud once', async () => {
    let facts = FACTS;
    let looks = 0;
    await start({
      facts: () => {
        looks++;
        return facts;
      },
    });
    await becomes('online', null);
    system.cloud.answer = 503;
    facts = { ...FACTS, inverter_count: 2, battery: 'US5000', battery_count: 1 };
    await expect.poll(() => system.cloud.connects.at(-1)?.facts).toEqual(facts);
    system.cloud.answer = system.ready;
    const { length } = system.cloud.connects;
    await expect.poll(() => system.cloud.connects.length).toBeGreaterThan(length);
    const reported = system.cloud.connects.length;
    const looked = looks;
    // Ten looks, at which there is nothing new.
    await expect.poll(() => looks).toBeGreaterThan(looked + 10);
    expect(system.cloud.connects.length).toBeLessThanOrEqual(reported + 1);
    expect(system.proxy.opened).toBe(1);
  });

  it('a busy cloud is called again after the time that it names, and later while it stays busy', async () => {
    const { retry } = UPLINK_TIMES;
    const waited: number[] = [];
    await start({ pause: passing(waited), password: null, times: { retry } }, ({ cloud }) => {
      cloud.answer = { retryAfterS: 4 };
    });
    await expect.poll(() => waited.length).toBeGreaterThan(7);
    for (const [i, waitMs] of waited.slice(0, 8).entries()) {
      const longestMs = Math.min(retry.maxMs, retry.minMs * 2 ** i);
      expect(waitMs).toBeGreaterThanOrEqual(Math.max(4_000, longestMs / 2));
      expect(waitMs).toBeLessThanOrEqual(Math.max(4_800, longestMs));
    }
    expect(system.uplink.status.reason).toBe('the cloud is busy (503)');
  });

  it('the tunnel goes over TLS where the proxy has it', async () => {
    await start({ proxy: await startTestProxy(TEST_TLS), ca: TEST_TLS.cert.toString() });
    await becomes('online', null);
    expect((await read()).body).toBe('1240');
  });

  it('a proxy with an untrusted certificate is refused', async () => {
    await start({ proxy: await startTestProxy(TEST_TLS) });
    await becomes('offline', expect.stringMatching(/self-signed/));
    expect(system.proxy.dials).toEqual([]);
  });

  it.each([
    ['inactive', 'the device waits to be activated'],
    ['unregistered', 'the device is not registered to an account yet'],
  ] as const)(
    'the uplink waits as long as the cloud answers while the device is %s',
    async (status, reason) => {
      const levels: number[] = [];
      const logger = createLogger('device', 'info', { write: (line) => levels.push(JSON.parse(line).level) });
      await start({ logger }, ({ cloud, device }) => {
        cloud.answer = { status, retry_after_s: 1 };
        device.access.site.set(SITE_ID);
      });
      await becomes('offline', reason);
      expect(system.device.access.site.id).toBeNull();
      expect(system.cloud.connects).toHaveLength(1);
      expect(levels).toEqual([INFO]);
      await expect.poll(() => waits().length).toBe(1);
      expect(waits()[0]).toBeGreaterThanOrEqual(1_000);
      expect(waits()[0]).toBeLessThanOrEqual(1_200);
      system.cloud.answer = system.ready;
      await expect.poll(() => system.uplink.status.state, { timeout: 3_000 }).toBe('online');
      expect(system.cloud.connects).toHaveLength(2);
    },
  );

  it('a device that waits for a minute calls sooner when its page is read, but not within two seconds', async () => {
    const clock = new ManualClock(Date.now());
    await start({ clock }, ({ cloud }) => {
      cloud.answer = { status: 'unregistered', retry_after_s: 60 };
    });
    await becomes('offline', 'the device is not registered to an account yet');
    await expect.poll(() => waits().length).toBe(1);
    system.cloud.answer = system.ready;
    clock.advance(1_999);
    system.uplink.hurry();
    expect(pause.mock.calls[0]?.[1]?.aborted).toBe(false);
    clock.advance(1);
    system.uplink.hurry();
    await becomes('online', null);
    expect(system.cloud.connects).toHaveLength(2);
  });

  it('a released device wants a code when its page is read, and the next one after half of its life', async () => {
    const clock = new ManualClock(Date.now());
    let made = 0;
    await start({ clock }, ({ cloud }) => {
      cloud.answer = ({ wants_registration_code: isWanted }) => ({
        status: 'inactive',
        retry_after_s: 60,
        released: { registration_code: isWanted ? { code: `code ${++made}`, expires_in_s: 900 } : null },
      });
    });
    /** A person looks: the page asks every few seconds. */
    const looks = async () => {
      const { length } = system.cloud.connects;
      clock.advance(2_000);
      await expect.poll(() => waits().length).toBe(length);
      system.uplink.hurry();
      await expect.poll(() => system.cloud.connects.length).toBe(length + 1);
      await expect.poll(() => waits().length).toBe(length + 1);
    };
    await becomes('offline', 'the device was released: its page "Account" shows the code that registers it');
    expect([system.uplink.cloudStatus, system.uplink.registrationCode]).toEqual(['released', undefined]);
    await looks();
    expect(system.uplink.registrationCode).toEqual({ code: 'code 1', expires_in_s: 900 });
    await looks();
    expect(system.uplink.registrationCode?.code).toBe('code 1');
    clock.advance(450_000);
    await looks();
    expect(system.uplink.registrationCode).toEqual({ code: 'code 2', expires_in_s: 900 });
    clock.advance(900_000);
    expect(system.uplink.registrationCode).toBeUndefined();
    await looks();
    system.cloud.answer = { status: 'inactive', retry_after_s: 60 };
    await looks();
    expect([system.uplink.cloudStatus, system.uplink.registrationCode]).toEqual(['inactive', undefined]);
  });

  it('a device that waits for anything else does not call sooner when its page is read', async () => {
    const clock = new ManualClock(Date.now());
    await start({ clock }, ({ cloud }) => {
      cloud.answer = { status: 'unregistered', retry_after_s: 60 };
    });
    await expect.poll(() => waits().length).toBe(1);
    system.cloud.answer = 401;
    clock.advance(2_000);
    system.uplink.hurry();
    await expect.poll(() => waits().length).toBe(2);
    clock.advance(2_000);
    system.uplink.hurry();
    expect(pause.mock.calls[1]?.[1]?.aborted).toBe(false);
  });

  it('the status has the time since when it is what it is', async () => {
    const clock = new ManualClock(1_000);
    await start({ clock });
    await becomes('online', null);
    expect(system.uplink.status).toMatchObject({ proxy: 'local-1', since: 1_000 });
    clock.advance(500);
    expect(system.uplink.status.since).toBe(1_000);
    await system.uplink.stop();
    expect(system.uplink.status).toEqual({ state: 'offline', reason: null, proxy: null, since: 1_500 });
  });
});

describe('Uplink with a tunnel that ends', () => {
  it('a tunnel that is cut comes back by itself, and each time is logged', async () => {
    const lines: string[] = [];
    const logger = createLogger('device', 'info', { write: (line) => lines.push(JSON.parse(line).msg) });
    await start({ logger, times: { stableMs: 0 } });
    const logged = ['reachable through the proxy'];
    for (const opened of [1, 2, 3]) {
      await expect.poll(() => system.proxy.opened).toBe(opened);
      await expect.poll(() => lines).toEqual(logged);
      system.proxy.cut();
      logged.push('not reachable from outside', 'reachable through the proxy');
    }
    await expect.poll(() => lines).toEqual(logged);
    expect((await read()).status).toBe(200);
  });

  it('the tunnel of a draining proxy is replaced while requests under way go on', async () => {
    await start();
    const draining = await system.proxy.tunnel();
    const held = Promise.withResolvers<void>();
    const set = vi.spyOn(system.device.settings, 'set').mockReturnValueOnce(held.promise);
    const write = system.proxy.request(
      '/api/v1/metrics',
      {
        authorization: `Bearer ${await system.cloud.siteToken()}`,
        'site-id': String(SITE_ID),
        'site-key': system.cloud.siteKey,
      },
      JSON.stringify({ topic: 'inverter_1/max_charge_current', value: '1' }),
    );
    await expect.poll(() => set).toHaveBeenCalled();
    draining.leave();
    await expect.poll(() => system.proxy.opened).toBe(2);
    expect((await read()).status).toBe(200);
    held.resolve();
    expect((await write).status).toBe(200);
  });

  it('a silent proxy is noticed by pings', async () => {
    await start({ times: { pings: { intervalMs: 20, timeoutMs: 60 } } }, ({ proxy }) => {
      proxy.mute = true;
    });
    await becomes('offline', expect.stringMatching(/the proxy does not answer$/));
    system.proxy.mute = false;
    await system.proxy.tunnel();
    await becomes('online', null);
  });

  it('a tunnel stays up while pings are answered', async () => {
    await start({ times: { pings: { intervalMs: 10, timeoutMs: 1_000 } } });
    const tunnel = await system.proxy.tunnel();
    const { bytesRead } = tunnel;
    // Each ping of the device has a head alone, of eight bytes.
    await expect.poll(() => tunnel.bytesRead).toBeGreaterThan(bytesRead + 5 * 8);
    expect(system.uplink.status.state).toBe('online');
    expect(system.proxy.opened).toBe(1);
  });
});

describe('failures of the uplink', () => {
  it.each([401, 403])(
    'the answer %i of the cloud stops the device from calling again soon',
    async (status) => {
      await start({}, ({ cloud }) => {
        cloud.answer = status;
      });
      await becomes('offline', `the cloud rejects this device (${status}): no`);
      await expect.poll(() => waits().length).toBe(1);
      expect(waits()[0]).toBeGreaterThanOrEqual(60_000);
      expect(waits()[0]).toBeLessThanOrEqual(72_000);
      expect(system.cloud.connects).toHaveLength(1);
    },
  );

  it.each([
    [
      'the cloud fails',
      ({ cloud }: TestUplink) => {
        cloud.answer = 500;
      },
      'the cloud answers 500: no',
    ],
    [
      'the proxy refuses',
      ({ proxy }: TestUplink) => {
        proxy.refusal = 503;
      },
      expect.stringMatching(/^proxy .+ at http:.+: the proxy answers 503: no way$/),
    ],
    [
      'the cloud answers no JSON, of which nothing is repeated',
      ({ cloud }: TestUplink) => {
        cloud.answer = 'a-token';
      },
      'the cloud answers something unknown',
    ],
  ])('failures are retried when %s, and logged once', async (_what, prepare, reason) => {
    const lines: string[] = [];
    const logger = pino(
      { level: 'info' },
      new Writable({
        write(chunk, _encoding, done) {
          lines.push(JSON.parse(String(chunk)).msg);
          done();
        },
      }),
    );
    await start({ logger }, prepare);
    await becomes('offline', reason);
    await expect.poll(() => system.cloud.connects.length).toBeGreaterThan(4);
    expect(lines).toEqual(['not reachable from outside']);
    system.cloud.answer = system.ready;
    system.proxy.refusal = undefined;
    await becomes('online', null);
    expect(lines).toEqual(['not reachable from outside', 'reachable through the proxy']);
  });

  it('the line about a refusal of the cloud has the id of the request', async () => {
    const lines: { msg: string; requestId?: string }[] = [];
    const logger = createLogger('device', 'info', { write: (line) => lines.push(JSON.parse(line)) });
    await start({ logger }, ({ cloud }) => {
      cloud.answer = 401;
    });
    await becomes('offline', expect.stringMatching(/rejects this device/));
    expect(lines).toMatchObject([{ msg: 'not reachable from outside', requestId: expect.any(String) }]);
    expect(system.cloud.traceparents[0]).toContain(lines[0]?.requestId);
  });

  it('failures of the network have their cause', async () => {
    await start({}, ({ cloud, ready }) => {
      cloud.answer = { ...ready, proxy: { name: 'gone', url: 'http://127.0.0.1:1' } };
    });
    await becomes('offline', expect.stringMatching(/ECONNREFUSED/));
  });

  it('a wrong clock is reported, and a call succeeds as soon as it is right', async () => {
    const clock = new ManualClock(Date.parse('2020-01-01T00:00:00.000Z'));
    await start({ clock }, ({ cloud }) => {
      cloud.answer = 401;
    });
    await becomes('offline', expect.stringMatching(/clock says 2020-01-01T00:00:00.000Z, the cloud's 20/));
    system.cloud.answer = system.ready;
    await becomes('online', null);
  });

  it.each<[string, (proxy: TestUplink['proxy']) => Promise<void>]>([
    ['are cut', async (proxy) => proxy.cut()],
    ['the proxy ends', async (proxy) => (await proxy.tunnel()).leave()],
  ])(
    'waits grow while tunnels that %s do not last, and one that lasted makes them short',
    async (_how, end) => {
      const { retry, redial, stableMs } = UPLINK_TIMES;
      const clock = new ManualClock(Date.now());
      const redials: number[] = [];
      await start({
        clock,
        pause: passing(redials),
        password: null,
        times: { retry, redial, stableMs, factCheck: { minMs: CHECK_MS, maxMs: CHECK_MS } },
      });
      const afterTunnelOf = async (lastedMs: number): Promise<number> => {
        const count = redials.length;
        await becomes('online', null);
        await system.proxy.tunnel();
        clock.advance(lastedMs);
        await end(system.proxy);
        await expect.poll(() => redials.length, { interval: 5 }).toBe(count + 1);
        return redials.at(-1) ?? 0;
      };
      const isBetween = (waitMs: number, minMs: number, maxMs: number): void => {
        expect(waitMs).toBeGreaterThanOrEqual(minMs);
        expect(waitMs).toBeLessThanOrEqual(maxMs);
      };
      for (const lastedMs of [1_000, stableMs - 1]) {
        for (let i = 0; i < 7; i++) {
          const longestMs = Math.min(retry.maxMs, retry.minMs * 2 ** i);
          isBetween(await afterTunnelOf(lastedMs), longestMs / 2, Math.max(redial.maxMs, longestMs));
        }
        isBetween(await afterTunnelOf(stableMs), redial.minMs, redial.maxMs);
      }
    },
  );
});

describe('Uplink.stop', () => {
  let facts = FACTS;

  it.each([
    ['online', undefined, 'online'],
    [
      'waiting',
      ({ cloud }: TestUplink) => {
        cloud.answer = 401;
      },
      'offline',
    ],
  ])('a stop cuts the waits of an uplink that is %s', async (_what, prepare, state) => {
    await start({}, prepare);
    await expect.poll(() => system.uplink.status.state).toBe(state);
    await system.uplink.stop();
    expect(system.uplink.status).toMatchObject({ state: 'offline', reason: null });
    expect(await Promise.all(pause.mock.results.map(({ value }) => value))).toContain(false);
  });

  it.each<[string, number, (made: TestUplink) => Promise<void>]>([
    ['the tunnel is up', 1, async () => undefined],
    ['the device is to move', 2, ({ proxy }) => proxy.requestMove()],
    [
      'the device learns of revocations',
      2,
      ({ proxy }) => proxy.sendRevocations(revocationSignal([{ subject: 'token:7', revokedAt: 1 }])),
    ],
    [
      'the device reports other facts',
      2,
      async () => {
        facts = { ...FACTS, inverter_count: 2 };
      },
    ],
  ])('a stop while %s is no failure in the log', async (_when, calls, begin) => {
    const lines: string[] = [];
    const logger = createLogger('device', 'info', { write: (line) => lines.push(JSON.parse(line).msg) });
    facts = FACTS;
    await start({ logger, password: null, facts: () => facts });
    await becomes('online', null);
    system.cloud.answer = () => new Promise(() => undefined);
    await begin(system);
    await expect.poll(() => system.cloud.connects.length).toBe(calls);
    await system.uplink.stop();
    expect(lines).toEqual(['reachable through the proxy']);
  });

  it('a stop while the cloud has not answered yet is no failure in the log', async () => {
    const lines: string[] = [];
    const logger = createLogger('device', 'info', { write: (line) => lines.push(line) });
    await start({ logger }, ({ cloud }) => {
      cloud.answer = () => new Promise(() => undefined);
    });
    await expect.poll(() => system.cloud.connects.length).toBe(1);
    await system.uplink.stop();
    expect(lines).toEqual([]);
    expect(system.uplink.status).toMatchObject({ state: 'offline', reason: null });
  });
});
