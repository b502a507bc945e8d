import { join } from 'node:path';
import { PROXY_NODE_FLAGS } from '@heliograph/dev/node-flags';
import { startChild } from './child.ts';

const PROXY = join(import.meta.dirname, '../apps/proxy/src/main.ts');
/** As it starts for good: without it the compiler's own memory would be counted. */
const COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/node-compile');

/** Name of every proxy of the benchmarks. */
export const PROXY_NAME = 'bench-1';
/** A real cloud must have its hash; the cloud that stands in asks for none in particular. */
export const PROXY_CREDENTIAL = `hgp_${'b'.repeat(43)}`;

export interface ProxyProcess extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  /** Host, with the port if it is not the default. */
  readonly host: string;
  /** Ends it as a power cut does. */
  kill(): Promise<void>;
}

/** A proxy in a process of its own. @param env settings besides the cloud, the name and the credential */
export async function startProxyProcess(
  cloudUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ProxyProcess> {
  const { process: child, message } = await startChild<{ facts: { url: string; host: string } }>(PROXY, {
    nodeFlags: PROXY_NODE_FLAGS,
    env: {
      PROXY_NAME,
      PROXY_CREDENTIAL,
      PROXY_BIND: '127.0.0.1',
      PROXY_PORT: '0',
      // All clients and devices of a benchmark are on this machine.
      PROXY_UNLIMITED_FROM: '127.0.0.0/8 ::1',
      CLOUD_URL: cloudUrl,
      LOG_LEVEL: 'warn',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...env,
    },
  });
  if (child.pid === undefined) throw new Error('the proxy has no process');
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  return { pid: child.pid, ...message.facts, kill, [Symbol.asyncDispose]: kill };
}
