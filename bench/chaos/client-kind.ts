import { Agent } from 'node:http';
import type { SiteAuthorization } from '@heliograph/contracts';
import { wait } from '@heliograph/kit';
import type { Dice } from './dice.ts';
import { type Ending, exchange, type Question } from './exchange.ts';
import type { Journal, Judge, Purpose } from './journal.ts';

/** What a client needs to know of the system that it visits. */
export interface Target {
  /** Host and port of the cloud. */
  readonly cloudHost: string;
  readonly apiToken: string;
  readonly siteId: number;
}

export type SiteQuestion = Pick<Question, 'method' | 'path' | 'body'>;

/** How long a client waits before it asks again, in milliseconds: less than `Retry-After` says, to be harder on us. */
const PAUSE_MS = { from: 50, to: 200 };

/**
 * A client of the site's API that goes the documented way: it keeps the host that `authorize` gave it until something
 * fails, and then asks the cloud again.
 */
export class Visitor {
  readonly #target: Target;
  readonly #journal: Journal;
  readonly #dice: Dice;
  /** Its own connection, kept alive between requests. */
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #access: SiteAuthorization | undefined;

  constructor(target: Target, journal: Journal, dice: Dice) {
    this.#target = target;
    this.#journal = journal;
    this.#dice = dice;
  }

  /** @throws Error before the first {@link authorize} that succeeded */
  get access(): SiteAuthorization {
    if (this.#access === undefined) throw new Error('the visitor was never authorized');
    return this.#access;
  }

  /** Asks the cloud for the way in; keeps the old one where the cloud has no answer. @returns whether it had */
  async authorize(): Promise<boolean> {
    const { cloudHost, apiToken, siteId } = this.#target;
    const asked = { purpose: 'authorize', host: cloudHost, startedAt: Date.now() } as const;
    const ending = await exchange(this.#agent, {
      method: 'POST',
      host: cloudHost,
      path: `/api/v1/sites/${siteId}/authorize`,
      headers: { authorization: `Bearer ${apiToken}` },
    });
    const judge: Judge = (status, body) => {
      if (status !== 200) return status >= 400 ? 'failed' : 'strange';
      return (JSON.parse(body) as SiteAuthorization).site_id === siteId ? 'good' : 'strange';
    };
    const isGood = this.#journal.add(asked, ending, judge);
    if (isGood && ending.kind === 'answered') this.#access = JSON.parse(ending.body) as SiteAuthorization;
    return isGood;
  }

  /** Asks the site once. @param host another one than that which the cloud named */
  async ask(
    purpose: Purpose,
    question: SiteQuestion,
    judge: Judge,
    host = this.access.host,
  ): Promise<{ readonly isGood: boolean; readonly ending: Ending }> {
    const { token, site_id, site_key } = this.access;
    const headers = { authorization: `Bearer ${token}`, 'site-id': String(site_id), 'site-key': site_key };
    const startedAt = Date.now();
    const ending = await exchange(this.#agent, { ...question, host, headers });
    return { isGood: this.#journal.add({ purpose, host, startedAt }, ending, judge), ending };
  }

  /** After a failure: a moment, then the cloud is asked whether the site is elsewhere by now. */
  async lookAgain(signal: AbortSignal): Promise<void> {
    if (await this.pause(signal)) await this.authorize();
  }

  /** @returns false when the visit is over */
  async pause(signal: AbortSignal): Promise<boolean> {
    return await wait(this.#dice.between(PAUSE_MS.from, PAUSE_MS.to), signal);
  }

  /** Closes its connection. */
  leave(): void {
    this.#agent.destroy();
  }
}
