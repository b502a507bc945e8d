import { HAS_HAPROXY, startHaproxy } from '@heliograph/dev/testing/haproxy';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { startProxyProcess } from '../proxy-process.ts';
import { cpuSeconds, proportionalMb } from '../usage.ts';

/** The ends of TLS that are compared. */
export const FRONTS = ['plain TCP', 'TLS', 'HAProxy'] as const;
export type Front = (typeof FRONTS)[number];

/** A proxy, with HAProxy before it where that ends TLS. */
export interface FrontedProxy extends AsyncDisposable {
  /** Address for devices and clients. */
  readonly url: string;
  /** The certificate to trust, PEM; undefined: plain TCP. */
  readonly ca: string | undefined;
  /** Memory of each process, by its name, in MB. */
  memoryMb(): Readonly<Record<string, number>>;
  /** Processor time of all processes so far, in seconds of one core. */
  cpuSeconds(): number;
}

/** Prints how to install HAProxy where it is missing. */
export function isFrontHere(front: Front): boolean {
  if (front !== 'HAProxy' || HAS_HAPROXY) return true;
  console.log('HAProxy is not on the PATH and is left out; to install it: apt-get install haproxy');
  return false;
}

export async function startFrontedProxy(cloudUrl: string, front: Front): Promise<FrontedProxy> {
  await using undo = new AsyncDisposableStack();
  const { certPath, keyPath, cert } = TEST_TLS;
  const env: Readonly<Record<Front, Readonly<Record<string, string>>>> = {
    'plain TCP': {},
    TLS: { PROXY_TLS_CERT: certPath, PROXY_TLS_KEY: keyPath },
    HAProxy: { PROXY_PROTOCOL_FROM: '127.0.0.1' },
  };
  const proxy = undo.use(await startProxyProcess(cloudUrl, env[front]));
  const pids: Record<string, number> = { proxy: proxy.pid };
  let { url } = proxy;
  if (front === 'HAProxy') {
    const haproxy = undo.use(await startHaproxy(url));
    pids.HAProxy = haproxy.pid;
    url = haproxy.url;
  }
  const running = undo.move();
  return {
    // Of which each simulated home has an address of its own.
    url: url.replace('localhost', '127.0.0.1'),
    ca: front === 'plain TCP' ? undefined : cert.toString(),
    memoryMb: () =>
      Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, proportionalMb(pid)])),
    cpuSeconds: () => Object.values(pids).reduce((sum, pid) => sum + cpuSeconds(pid), 0),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** @returns KiB of each process and of all together, for each of so many */
export function growthKib(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  count: number,
): { readonly total: number; readonly text: string } {
  const parts = Object.entries(after).map(([name, mb]) => ({
    name,
    kib: ((mb - (before[name] ?? 0)) * 1e6) / 1024 / count,
  }));
  const total = parts.reduce((sum, { kib }) => sum + kib, 0);
  const [, ...others] = parts;
  const each = parts.map(({ name, kib }) => `${kib.toFixed(1)} of ${name}`).join(', ');
  return { total, text: others.length === 0 ? total.toFixed(1) : `${total.toFixed(1)} (${each})` };
}
