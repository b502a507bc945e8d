/** An incident of a service with so many homes. Times in milliseconds since the beginning. */
export interface Scenario {
  readonly name: string;
  readonly devices: number;
  readonly proxies: number;
  /** The devices whose tunnels end or are drained. */
  affected(device: number, proxy: number): boolean;
  /** When such a device begins to do something about it. */
  noticedAfterMs(): number;
  /** Whether a device has a ticket for the proxy it had, or asks the cloud first. */
  readonly begins: 'dial' | 'ask the cloud';
  /** A dead process refuses dials, a dead machine is silent. */
  proxyState(proxy: number, atMs: number): 'up' | 'refusing' | 'silent';
  /** Whether the cloud sends no devices there. */
  draining(proxy: number): boolean;
  cloudIsUp(atMs: number): boolean;
  /** The share of the cloud's processes that is there. */
  readonly cloudShare: number;
  /** All are to be back within so long. */
  readonly limitMs: number;
  readonly horizonMs: number;
}

const MINUTE_MS = 60_000;
/** A proxy's process needs so long to listen again. */
const RESTART_MS = 2_000;
/** Over so long a proxy that stops asks its devices to move. */
const EVACUATION_MS = 12_000;
/** A silent proxy is noticed by a ping that goes unanswered. */
const PING_INTERVAL_MS = 15_000;
const PING_TIMEOUT_MS = 10_000;

/** @param proxies how many there are besides those that fail for good */
export function scenarios(devices: number, proxies: number): readonly Scenario[] {
  const calm: Omit<Scenario, 'name'> = {
    devices,
    proxies,
    affected: (_device, proxy) => proxy === 0,
    noticedAfterMs: () => 0,
    begins: 'dial',
    proxyState: () => 'up',
    draining: () => false,
    cloudIsUp: () => true,
    cloudShare: 1,
    limitMs: 3 * MINUTE_MS,
    horizonMs: 15 * MINUTE_MS,
  };
  const quarter = { cloudShare: 1 / 4, limitMs: 10 * MINUTE_MS };
  const regional = Math.floor(proxies / 4);
  return [
    {
      ...calm,
      name: 'a proxy process is killed and restarted',
      proxyState: (proxy, atMs) => (proxy === 0 && atMs < RESTART_MS ? 'refusing' : 'up'),
    },
    {
      ...calm,
      name: 'a proxy machine dies',
      noticedAfterMs: () => Math.random() * PING_INTERVAL_MS + PING_TIMEOUT_MS,
      proxyState: (proxy) => (proxy === 0 ? 'silent' : 'up'),
    },
    {
      ...calm,
      name: 'a proxy is drained',
      begins: 'ask the cloud',
      noticedAfterMs: () => Math.random() * EVACUATION_MS,
      draining: (proxy) => proxy === 0,
    },
    {
      ...calm,
      name: 'a quarter of the proxies die at once',
      affected: (_device, proxy) => proxy < regional,
      noticedAfterMs: () => Math.random() * PING_INTERVAL_MS + PING_TIMEOUT_MS,
      proxyState: (proxy) => (proxy < regional ? 'silent' : 'up'),
    },
    {
      ...calm,
      name: 'all proxies restart while the cloud is away',
      affected: () => true,
      proxyState: (_proxy, atMs) => (atMs < RESTART_MS ? 'refusing' : 'up'),
      cloudIsUp: (atMs) => atMs > 10 * MINUTE_MS,
    },
    {
      ...calm,
      name: 'power returns to all homes within a minute',
      affected: () => true,
      noticedAfterMs: () => Math.random() * MINUTE_MS,
    },
    {
      ...calm,
      name: 'the same, and every device needs the cloud',
      affected: () => true,
      begins: 'ask the cloud',
      noticedAfterMs: () => Math.random() * MINUTE_MS,
    },
    {
      ...calm,
      ...quarter,
      name: 'the same, with a quarter of the cloud',
      affected: () => true,
      begins: 'ask the cloud',
      noticedAfterMs: () => Math.random() * MINUTE_MS,
    },
    {
      ...calm,
      ...quarter,
      name: 'three of four machines are lost, of each kind',
      affected: (_device, proxy) => proxy >= proxies / 4,
      noticedAfterMs: () => Math.random() * PING_INTERVAL_MS + PING_TIMEOUT_MS,
      proxyState: (proxy) => (proxy >= proxies / 4 ? 'silent' : 'up'),
    },
  ];
}
