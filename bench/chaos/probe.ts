import { setTimeout as delay } from 'node:timers/promises';
import type { System } from '@heliograph/dev';
import { Dice } from './dice.ts';
import { Journal, type Judge } from './journal.ts';
import { SiteApiClient } from './site-api-client.ts';

/** Interval of the requests until the system is back, in milliseconds. */
const POLL_MS = 20;
/** Longest wait for the system to be back, in milliseconds. */
const GIVE_UP_MS = 60_000;

/** A client that finds out when the site can be read again, and through which proxy. Its failures count nowhere. */
export class Probe implements Disposable {
  readonly #client: SiteApiClient;

  private constructor(client: SiteApiClient) {
    this.#client = client;
  }

  static async of({ run }: System): Promise<Probe> {
    const { cloud, account, site } = run;
    const target = { cloudHost: new URL(cloud.url).host, apiToken: account.api_token, siteId: site.id };
    const probe = new Probe(new SiteApiClient(target, new Journal(), new Dice(0)));
    await probe.untilAuthorized();
    return probe;
  }

  /** Resolves once the cloud authorizes, to the host of the proxy that it names. */
  async untilAuthorized(): Promise<string> {
    await until('the cloud to authorize', () => this.#client.authorize());
    return this.#client.access.host;
  }

  /** Resolves once the site answers a client that authorizes again after each failure. */
  async untilReadable(): Promise<void> {
    await until('the site to be readable', async () => {
      const request = { path: '/api/v1/metrics?topic=system/site_id' };
      const { isGood } = await this.#client.send('read', request, isAnswer);
      if (!isGood) await this.#client.authorize();
      return isGood;
    });
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}

const isAnswer: Judge = (status) => (status === 200 ? 'good' : 'failed');

/** Polls a condition. @throws Error when it takes too long */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + GIVE_UP_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`${GIVE_UP_MS / 1000} s were not enough for ${what}`);
    await delay(POLL_MS);
  }
}
