import { createCloudClient } from '@heliograph/client';
import type { System } from '@heliograph/dev';
import { Balancer } from './balancer.ts';
import { Dice } from './dice.ts';
import { Follower } from './follower.ts';
import { Journal } from './journal.ts';
import { authorize, echo, read, readByName } from './readers.ts';
import { type Pause, SHORT_PAUSE_MS, SiteApiClient, type Target } from './site-api-client.ts';
import { REST_WRITES, STREAM_WRITES } from './write-plan.ts';
import type { Attempt } from './write-proof.ts';
import { write } from './writers.ts';

const READERS = 6;
const NAMED_READERS = 2;
const ECHOES = 3;
const GROUPS = ['total', 'battery_1', 'inverter_1'];

/** Clients of every kind, all at once, from the start until they are stopped. */
export class Load implements AsyncDisposable {
  readonly journal = new Journal();
  /** Every write that was tried, REST and stream alike. */
  readonly attempts: Attempt[] = [];
  readonly #seed: number;
  readonly #pauseMs: Pause;
  readonly #stopping = new AbortController();
  readonly #clients: SiteApiClient[] = [];
  readonly #followers: Follower[] = [];
  readonly #working: Promise<void>[] = [];
  #balancer: Balancer | undefined;

  private constructor(seed: number, pauseMs: Pause) {
    this.#seed = seed;
    this.#pauseMs = pauseMs;
  }

  /**
   * @param seed decides the clients' requests, not their timing
   * @throws ApiError, ConnectionError when the system is not well at the start
   */
  static async start(system: System, seed: number, pauseMs = SHORT_PAUSE_MS): Promise<Load> {
    await using undo = new AsyncDisposableStack();
    const load = undo.use(new Load(seed, pauseMs));
    await load.#start(system);
    undo.move();
    return load;
  }

  get followers(): readonly Follower[] {
    return this.#followers;
  }

  /** Waits for the requests under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#working);
    for (const client of this.#clients) client.close();
    await Promise.all(this.#followers.map((follower) => follower.close()));
    await this.#balancer?.[Symbol.asyncDispose]();
    this.#balancer = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #start({ run, parts }: System): Promise<void> {
    const { cloud, account, site } = run;
    const client = createCloudClient({ url: cloud.url, token: account.api_token });
    const device = await client.device(site.id);
    const topics = (await device.metrics()).map(({ topic }) => topic);
    const target = { cloudHost: new URL(cloud.url).host, apiToken: account.api_token, siteId: site.id };
    const { signal } = this.#stopping;

    for (let reader = 1; reader <= READERS; reader++) {
      await this.#employ(target, (client, dice) => read(client, topics, dice, signal));
    }
    const hosts = (await Promise.all(parts.proxies.map((proxy) => proxy.ready()))).map(({ host }) => host);
    for (const host of hosts) {
      await this.#employ(target, (client, dice) => read(client, topics, dice, signal, host));
    }
    this.#balancer = await Balancer.start(hosts);
    const named = { name: `${site.name}.localhost`, host: this.#balancer.host };
    for (let reader = 1; reader <= NAMED_READERS; reader++) {
      await this.#employ(target, (client, dice) => readByName(client, topics, dice, signal, named));
    }
    for (let number = 1; number <= ECHOES; number++) {
      await this.#employ(target, (client) => echo(client, `echo_${number}`, signal));
    }
    for (const plan of REST_WRITES) {
      await this.#employ(target, (client, dice) => write(client, plan, dice, this.attempts, signal));
    }
    await this.#employ(target, (client) => authorize(client, signal));
    for (const group of GROUPS) this.#followers.push(new Follower(await client.device(site.id), group));
    const [first] = this.#followers;
    const dice = new Dice(this.#seed, 0);
    if (first) this.#working.push(first.write(STREAM_WRITES, dice, this.attempts, signal));
  }

  async #employ(target: Target, work: (client: SiteApiClient, dice: Dice) => Promise<void>): Promise<void> {
    const number = this.#clients.length + 1;
    const client = new SiteApiClient(target, this.journal, new Dice(this.#seed, number, 1), this.#pauseMs);
    this.#clients.push(client);
    await client.authorize();
    this.#working.push(work(client, new Dice(this.#seed, number, 2)));
  }
}
