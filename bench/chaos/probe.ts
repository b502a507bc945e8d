import { setTimeout as delay } from 'node:timers/promises';
import type { System } from '@heliograph/dev-env';
import { Visitor } from './client-kind.ts';
import { Dice } from './dice.ts';
import { Journal, type Judge } from './journal.ts';

/** How often it is asked whether the system is back, in milliseconds. */
const POLL_MS = 20;
/** What is not back by then does not come back, in milliseconds. */
const GIVE_UP_MS = 60_000;

/** A client that finds out when the site can be read again, and through which proxy. Its failures count nowhere. */
export class Probe implements Disposable {
  readonly #visitor: Visitor;

  private constructor(visitor: Visitor) {
    this.#visitor = visitor;
  }

  static async of({ run }: System): Promise<Probe> {
    const { cloud, account, site } = run;
    const target = { cloudHost: new URL(cloud.url).host, apiToken: account.api_token, siteId: site.id };
    const probe = new Probe(new Visitor(target, new Journal(), new Dice(0)));
    await probe.untilAuthorized();
    return probe;
  }

  /** Resolves once the cloud tells the way in, to the host of the proxy that it names. */
  async untilAuthorized(): Promise<string> {
    await until('the cloud to tell the way in', () => this.#visitor.authorize());
    return this.#visitor.access.host;
  }

  /** Resolves once the site answers a client that asks the cloud for the way whenever it fails. */
  async untilReadable(): Promise<void> {
    await until('the site to be readable', async () => {
      const question = { path: '/api/v1/metrics?topic=system/site_id' };
      const { isGood } = await this.#visitor.ask('read', question, isAnswer);
      if (!isGood) await this.#visitor.authorize();
      return isGood;
    });
  }

  [Symbol.dispose](): void {
    this.#visitor.leave();
  }
}

const isAnswer: Judge = (status) => (status === 200 ? 'good' : 'failed');

/** Asks again and again. @throws Error when it takes too long */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + GIVE_UP_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`${GIVE_UP_MS / 1000} s were not enough for ${what}`);
    await delay(POLL_MS);
  }
}
