import { Agent } from 'node:http';
import type { SiteAuthorization } from '@heliograph/contracts';
import { wait } from '@heliograph/kit';
import type { Dice } from './dice.ts';
import { type Ending, exchange, type HttpRequest } from './exchange.ts';
import type { Journal, Judge, Purpose } from './journal.ts';

/** The system as a client reaches it. */
export interface Target {
  /** Host and port of the cloud. */
  readonly cloudHost: string;
  readonly apiToken: string;
  readonly siteId: number;
}

export type SiteRequest = Pick<HttpRequest, 'method' | 'path' | 'body'> &
  Partial<Pick<HttpRequest, 'headers'>>;

/** Pause between two requests of one client, in milliseconds. */
export interface Pause {
  readonly from: number;
  readonly to: number;
}

/** Shorter than `Retry-After`, to load the system more. */
export const SHORT_PAUSE_MS: Pause = { from: 50, to: 200 };

/**
 * A client of the site's API that behaves as documented: it keeps the host from `authorize` until a request
 * fails, and then authorizes again.
 */
export class SiteApiClient {
  readonly #target: Target;
  readonly #journal: Journal;
  readonly #dice: Dice;
  readonly #pauseMs: Pause;
  /** Its own connection, kept alive between requests. */
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #access: SiteAuthorization | undefined;

  constructor(target: Target, journal: Journal, dice: Dice, pauseMs: Pause = SHORT_PAUSE_MS) {
    this.#pauseMs = pauseMs;
    this.#target = target;
    this.#journal = journal;
    this.#dice = dice;
  }

  /** @throws Error before the first {@link authorize} that succeeded */
  get access(): SiteAuthorization {
    if (this.#access === undefined) throw new Error('the client was never authorized');
    return this.#access;
  }

  /** Fetches the site's host and token from the cloud; on a failure the old ones stay. @returns whether the cloud answered */
  async authorize(): Promise<boolean> {
    const { cloudHost, apiToken, siteId } = this.#target;
    const sent = { purpose: 'authorize', host: cloudHost, startedAt: Date.now() } as const;
    const ending = await exchange(this.#agent, {
      method: 'POST',
      host: cloudHost,
      path: `/api/v1/sites/${siteId}/authorize`,
      headers: { authorization: `Bearer ${apiToken}` },
    });
    const judge: Judge = (status, body) => {
      if (status !== 200) return status >= 400 ? 'failed' : 'unexpected';
      return (JSON.parse(body) as SiteAuthorization).site_id === siteId ? 'good' : 'unexpected';
    };
    const isGood = this.#journal.add(sent, ending, judge);
    if (isGood && ending.kind === 'answered') this.#access = JSON.parse(ending.body) as SiteAuthorization;
    return isGood;
  }

  /** Sends one request to the site. @param host instead of the one that the cloud named */
  async send(
    purpose: Purpose,
    request: SiteRequest,
    judge: Judge,
    host = this.access.host,
  ): Promise<{ readonly isGood: boolean; readonly ending: Ending }> {
    const { token, site_id, site_key } = this.access;
    const credentials = {
      authorization: `Bearer ${token}`,
      'site-id': String(site_id),
      'site-key': site_key,
    };
    const headers = { ...credentials, ...request.headers };
    const startedAt = Date.now();
    const ending = await exchange(this.#agent, { ...request, host, headers });
    return { isGood: this.#journal.add({ purpose, host, startedAt }, ending, judge), ending };
  }

  /** Pauses after a failure, then fetches the site's host again: it may have moved. */
  async lookAgain(signal: AbortSignal): Promise<void> {
    if (await this.pause(signal)) await this.authorize();
  }

  /** @returns false once it is stopped */
  async pause(signal: AbortSignal): Promise<boolean> {
    return await wait(this.#dice.between(this.#pauseMs.from, this.#pauseMs.to), signal);
  }

  /** Closes its connection. */
  close(): void {
    this.#agent.destroy();
  }
}
