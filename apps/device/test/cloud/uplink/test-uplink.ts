import type { DeviceConnectAnswer, DeviceFacts } from '@heliograph/contracts';
import { type Clock, type Logger, silentLogger, systemClock, wait } from '@heliograph/kit';
import { generateSigningKey, type SigningKey, uidOf } from '@heliograph/wire';
import { Uplink, type UplinkOptions } from '../../../src/cloud/uplink/uplink.ts';
import type { UplinkTimes } from '../../../src/cloud/uplink/uplink-times.ts';
import { CloudProblems } from '../../../src/common/cloud-problems.ts';
import { Registration } from '../../../src/common/registration.ts';
import { Delegations } from '../../../src/config/delegations/delegations.ts';
import { PASSWORD, startTestDevice, type TestDevice } from '../../serve/api/test-device.ts';
import { SITE_ID, startTestCloud, type TestCloud } from './test-cloud.ts';
import { startTestProxy, type TestProxy } from './test-proxy.ts';

export const QUICK: UplinkTimes = {
  retry: { minMs: 10, maxMs: 40 },
  redial: { minMs: 1, maxMs: 10 },
  redialAgain: { minMs: 10, maxMs: 20 },
  ticketDialMs: 1_000,
  rejectedRetryMs: 60_000,
  stableMs: 30_000,
  factCheck: { minMs: 10, maxMs: 100 },
  renew: { minMs: 60_000, maxMs: 90_000 },
  revocations: { minMs: 1, maxMs: 5 },
  requestedCallsApartMs: 10,
  move: { minMs: 1, maxMs: 5 },
  moveRetry: { minMs: 10, maxMs: 40 },
  lingerMs: 1,
  pings: { intervalMs: 100, timeoutMs: 10_000 },
};

export const FACTS: DeviceFacts = {
  arch: 'arm64',
  board: null,
  version: '1.2.3',
  build_date: null,
  beta: false,
  local_ip: '192.0.2.7:4002',
  inverter: null,
  inverter_count: 1,
  inverter_params: {},
  battery: null,
  battery_count: 0,
  battery_params: {},
  hardware_silent_since: null,
};

/** A device with its uplink, and a cloud and a proxy that are played. */
export interface TestUplink {
  readonly cloud: TestCloud;
  readonly proxy: TestProxy;
  readonly device: TestDevice;
  readonly uplink: Uplink;
  readonly key: SigningKey;
  readonly uid: string;
  /** The cloud's answer that sends the device to the proxy. */
  readonly ready: Extract<DeviceConnectAnswer, { status: 'ready' }>;
  /** Another uplink of the device, as after its restart; the test stops it. */
  another(overrides?: Partial<UplinkOptions>): Uplink;
  stop(): Promise<void>;
}

export interface TestUplinkOptions {
  readonly times?: Partial<UplinkTimes>;
  readonly logger?: Logger;
  readonly proxy?: TestProxy;
  readonly ca?: string;
  readonly facts?: () => DeviceFacts;
  readonly region?: string;
  readonly onUpdates?: UplinkOptions['onUpdates'];
  readonly clock?: Clock;
  /** Waits between calls and dials; default the real ones. */
  readonly pause?: typeof wait;
  /** The device's password; null for one without, which starts quicker. */
  readonly password?: string | null;
}

export async function startTestUplink(options: TestUplinkOptions = {}): Promise<TestUplink> {
  const {
    logger = silentLogger,
    ca,
    region,
    onUpdates,
    password = PASSWORD,
    facts = () => FACTS,
    clock = systemClock,
    pause = wait,
  } = options;
  const cloud = await startTestCloud();
  const proxy = options.proxy ?? (await startTestProxy());
  const device = await startTestDevice({ cloudUrl: cloud.url, password });
  const key = await generateSigningKey();
  const uid = uidOf(key.publicJwk);
  const ready = {
    status: 'ready',
    site_id: SITE_ID,
    site_name: 'home',
    proxy: { name: 'local-1', url: proxy.url },
    tunnel_token: 'a tunnel token',
  } as const;
  cloud.answer = ready;
  const uplinkOptions: UplinkOptions = {
    cloudUrl: cloud.url,
    uid,
    key,
    facts,
    region,
    site: device.access.site,
    problems: new CloudProblems(),
    registration: new Registration(),
    revocations: device.access.revocations,
    support: device.access.support,
    delegations: new Delegations({
      running: {},
      store: device.store,
      site: device.access.site,
      isStoreLost: false,
      now: () => clock.now(),
    }),
    ...(onUpdates !== undefined && { onUpdates }),
    store: device.store,
    handler: device.api.tunnel,
    clock,
    pause,
    logger,
    ca,
    times: { ...QUICK, ...options.times },
  };
  const uplink = new Uplink(uplinkOptions);
  return {
    cloud,
    proxy,
    device,
    uplink,
    key,
    uid,
    ready,
    another: (overrides = {}) => new Uplink({ ...uplinkOptions, ...overrides }),
    async stop() {
      await uplink.stop();
      await device.stop();
      await proxy.stop();
      await cloud.stop();
    },
  };
}
