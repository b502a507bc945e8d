import { fork } from 'node:child_process';
import { once } from 'node:events';
import { testProgram } from '@heliograph/dev/testing';
import { vi } from 'vitest';
import type { TestCloud } from './test-cloud.ts';

/** Credentials of a client for a site. */
export interface SiteCredentials {
  readonly siteId: number;
  readonly siteKey: string;
  readonly token: string;
}

/** A proxy in a process of its own, as it runs in production; no device dials it. */
export class ProxyProcess implements AsyncDisposable {
  readonly #url: string;
  readonly #end: () => Promise<void>;

  private constructor(url: string, end: () => Promise<void>) {
    this.#url = url;
    this.#end = end;
  }

  /** Resolves once it has the cloud's keys. */
  static async start(cloud: TestCloud): Promise<ProxyProcess> {
    const name = 'eu-1';
    const child = fork(await testProgram('apps/proxy/src/main'), {
      env: {
        ...process.env,
        CLOUD_URL: cloud.url,
        PROXY_CREDENTIAL: await cloud.proxyCredential(name),
        PROXY_NAME: name,
        PROXY_REGION: 'eu',
        PROXY_PORT: '0',
        LOG_LEVEL: 'silent',
      },
    });
    const [{ facts }] = await once(child, 'message');
    const proxy = new ProxyProcess(facts.url, async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    });
    await vi.waitFor(async () => {
      const { status } = await fetch(`${facts.url}/readyz`);
      if (status !== 200) throw new Error(`The proxy answers ${status}`);
    }, 60_000);
    return proxy;
  }

  /** The status that a read of a site is answered with: 503 for one that the client may reach but has no device here. */
  async statusFor({ token, siteId, siteKey }: SiteCredentials): Promise<number> {
    const headers = { authorization: `Bearer ${token}`, 'site-id': String(siteId), 'site-key': siteKey };
    const response = await fetch(`${this.#url}/api/v1/metrics`, { headers });
    await response.arrayBuffer();
    return response.status;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#end();
  }
}
