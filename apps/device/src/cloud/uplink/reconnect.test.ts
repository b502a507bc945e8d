import { systemClock } from '@heliograph/kit';
import { afterEach, describe, expect, it } from 'vitest';
import type { TestAnswer } from '../../../test/cloud/uplink/test-cloud.ts';
import { startTestProxy, type TestProxy } from '../../../test/cloud/uplink/test-proxy.ts';
import {
  FACTS,
  startTestUplink,
  type TestUplink,
  type TestUplinkOptions,
} from '../../../test/cloud/uplink/test-uplink.ts';
import { Registration } from '../../common/registration.ts';
import type { Uplink, UplinkOptions } from './uplink.ts';

/** A tunnel that was up for any time at all is a good one. */
const STABLE = { stableMs: 0 };

let system: TestUplink;
let second: TestProxy | undefined;
afterEach(async () => {
  await system.stop();
  await second?.stop();
  second = undefined;
});

/** A device whose tunnel is up. */
const start = async (times: TestUplinkOptions['times'] = STABLE): Promise<void> => {
  system = await startTestUplink({ password: null, times });
  system.uplink.start();
  await expect.poll(() => system.uplink.status.state, { interval: 5 }).toBe('online');
};

/** As a process that is killed and started again on its port. */
const startProxyAgain = async (): Promise<TestProxy> => {
  second = await startTestProxy(undefined, system.proxy.port);
  return second;
};

const cloudCalls = () => system.cloud.connects.length;
const reportedUnreachable = () => system.cloud.connects.at(-1)?.unreachable;
const withToken = (token: string): TestAnswer => ({ ...system.ready, tunnel_token: token });

describe('Uplink after the device restarted', () => {
  let restarted: Uplink;
  afterEach(() => restarted.stop());

  /** Ends the first uplink once its tunnel is up, and starts another one. */
  const restart = async (overrides: Partial<UplinkOptions> = {}): Promise<void> => {
    await start();
    await system.uplink.stop();
    system.cloud.answer = withToken('fresh');
    restarted = system.another(overrides);
    restarted.start();
  };
  const online = () => expect.poll(() => restarted.status.state).toBe('online');
  const lastDial = () => system.proxy.dials.at(-1)?.authorization;

  it('the last proxy is dialled with the stored ticket, and the cloud is not called', async () => {
    const registration = new Registration();
    let reached = 0;
    await restart({ registration, onCloudReached: () => reached++ });
    expect(registration.isConfirmed).toBe(true);
    await online();
    expect(restarted.cloudStatus).toBe('ready');
    expect(reached).toBe(0);
    expect([cloudCalls(), lastDial()]).toEqual([1, 'Bearer a tunnel token']);
  });

  it('the cloud is called when it must learn other facts', async () => {
    let reached = 0;
    await restart({ facts: () => ({ ...FACTS, version: '1.2.4' }), onCloudReached: () => reached++ });
    await expect.poll(() => system.cloud.connects.at(-1)?.facts.version).toBe('1.2.4');
    await expect.poll(() => reached).toBe(1);
    expect(lastDial()).toBe('Bearer a tunnel token');
  });

  it('a stored ticket that has grown old is renewed while the tunnel is up', async () => {
    const clock = { ...systemClock, now: () => systemClock.now() + 90_000 };
    await restart({ clock });
    await expect.poll(cloudCalls).toBe(2);
    expect(lastDial()).toBe('Bearer a tunnel token');
  });

  it.each<[string, () => Partial<UplinkOptions>]>([
    ['another region', () => ({ region: 'us' })],
    [
      'another address of the cloud',
      () => ({ cloudUrl: system.cloud.url.replace('127.0.0.1', 'localhost') }),
    ],
  ])('a ticket is not used with %s', async (_what, overrides) => {
    await start();
    await system.uplink.stop();
    system.cloud.answer = withToken('fresh');
    restarted = system.another(overrides());
    restarted.start();
    await online();
    expect([cloudCalls(), lastDial()]).toEqual([2, 'Bearer fresh']);
  });

  it('a stored ticket that the proxy does not take is forgotten', async () => {
    await start();
    await system.uplink.stop();
    system.proxy.refusal = 401;
    system.cloud.answer = 503;
    restarted = system.another();
    restarted.start();
    await expect.poll(cloudCalls).toBeGreaterThan(1);
    await restarted.stop();
    system.proxy.refusal = undefined;
    system.cloud.answer = withToken('fresh');
    restarted = system.another();
    restarted.start();
    await online();
    expect(lastDial()).toBe('Bearer fresh');
  });

  it('a device that the cloud turned away keeps no ticket', async () => {
    await start();
    system.cloud.answer = { status: 'unregistered', retry_after_s: 60 };
    system.proxy.refusal = 503;
    system.proxy.cut();
    await expect.poll(() => system.uplink.cloudStatus).toBe('unregistered');
    await system.uplink.stop();
    const registration = new Registration();
    registration.set(true);
    restarted = system.another({ registration });
    restarted.start();
    await expect.poll(cloudCalls).toBe(3);
    await expect.poll(() => registration.isConfirmed).toBe(false);
    expect(restarted.status.state).not.toBe('online');
  });
});

describe('Uplink after a tunnel that lasted broke', () => {
  it('the proxy is dialled again with the ticket, without a call to the cloud', async () => {
    await start();
    system.cloud.answer = withToken('another');
    system.proxy.cut();
    await expect.poll(() => system.proxy.opened).toBe(2);
    expect(system.proxy.dials.map(({ authorization }) => authorization)).toEqual([
      'Bearer a tunnel token',
      'Bearer a tunnel token',
    ]);
    expect(cloudCalls()).toBe(1);
  });

  it('a proxy that needs a moment to start is dialled twice before the cloud is called', async () => {
    await start({ ...STABLE, redial: { minMs: 1, maxMs: 1 }, redialAgain: { minMs: 700, maxMs: 700 } });
    await system.proxy.stop();
    await expect.poll(() => system.uplink.status.state, { interval: 2 }).toBe('connecting');
    const again = await startProxyAgain();
    await expect.poll(() => again.opened).toBe(1);
    expect(cloudCalls()).toBe(1);
  });

  it('the cloud learns the name of a proxy that is gone and answers another', async () => {
    await start();
    const other = await startTestProxy();
    second = other;
    system.cloud.answer = ({ unreachable = [] }) =>
      unreachable.includes('local-1')
        ? { ...system.ready, proxy: { name: 'local-2', url: other.url } }
        : system.ready;
    await system.proxy.stop();
    await expect.poll(() => other.opened).toBe(1);
    expect([cloudCalls(), reportedUnreachable()]).toEqual([2, ['local-1']]);
    await expect.poll(() => system.uplink.status.state).toBe('online');
  });

  it.each<[number | 'nothing', string[] | undefined, number]>([
    [401, undefined, 1],
    [403, undefined, 1],
    [502, ['local-1'], 2],
    [503, ['local-1'], 1],
    ['nothing', ['local-1'], 2],
  ])('the cloud is called when the proxy answers %s', async (status, unreachable, dials) => {
    await start();
    system.cloud.answer = async () => {
      system.proxy.refusal = undefined;
      return withToken('fresh');
    };
    system.proxy.refusal = status;
    system.proxy.cut();
    await expect.poll(() => system.proxy.opened).toBe(2);
    expect([cloudCalls(), reportedUnreachable()]).toEqual([2, unreachable]);
    const tickets = system.proxy.dials.slice(1).map(({ authorization }) => authorization);
    expect(tickets).toEqual([...Array(dials).fill('Bearer a tunnel token'), 'Bearer fresh']);
  });

  it('a ticket that the proxy does not take is not shown again, also while the cloud is away', async () => {
    await start();
    system.cloud.answer = 503;
    system.proxy.refusal = 401;
    system.proxy.cut();
    await expect.poll(cloudCalls).toBeGreaterThan(3);
    expect(system.proxy.dials).toHaveLength(2);
  });

  it('the proxy is found when it is back, while the cloud is away too', async () => {
    await start({ ...STABLE, retry: { minMs: 600, maxMs: 600 } });
    system.cloud.answer = 503;
    await system.proxy.stop();
    await expect.poll(() => system.uplink.status.reason, { interval: 2 }).toMatch(/503/);
    system.cloud.answer = () => new Promise(() => undefined);
    const again = await startProxyAgain();
    await expect.poll(() => again.opened, { timeout: 3_000 }).toBe(1);
    expect(again.dials[0]?.authorization).toBe('Bearer a tunnel token');
  });
});

describe('Uplink with a tunnel that the proxy ends on purpose', () => {
  it.each([
    ['revoked', 403 as const, expect.stringMatching(/rejects this device/)],
    [
      'no longer registered',
      { status: 'unregistered', retry_after_s: 60 } as const,
      expect.stringMatching(/not registered/),
    ],
  ])(
    'the cloud is called first, and when the device is %s no ticket is used again',
    async (_what, answer, reason) => {
      await start();
      system.cloud.answer = answer;
      (await system.proxy.tunnel()).leave();
      await expect.poll(() => system.uplink.status).toMatchObject({ state: 'offline', reason });
      expect([cloudCalls(), system.proxy.dials.length]).toEqual([2, 1]);
      expect(reportedUnreachable()).toEqual(['local-1']);
    },
  );
});

it('a ticket is not used again once the cloud rejected the device, also while the cloud is away', async () => {
  await start({ rejectedRetryMs: 10, stableMs: 60_000 });
  system.cloud.answer = () => (cloudCalls() === 2 ? 403 : 503);
  system.proxy.cut();
  await expect.poll(cloudCalls).toBeGreaterThan(4);
  expect(system.proxy.dials).toHaveLength(1);
});

describe('Uplink with a tunnel that does not last', () => {
  it('the cloud is called for another proxy, and the same one dialled while the cloud is away', async () => {
    await start({ stableMs: 60_000 });
    system.cloud.answer = 503;
    system.proxy.cut();
    await expect.poll(() => system.proxy.opened).toBe(2);
    expect([cloudCalls(), reportedUnreachable()]).toEqual([2, ['local-1']]);
  });
});
