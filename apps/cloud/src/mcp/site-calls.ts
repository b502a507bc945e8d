import { traceHeaders } from '@heliograph/kit';
import type { Caller } from '../access/caller.ts';
import type { SiteRoute, SiteService } from '../sites/sites/service.ts';
import { OUTDATED, outputIn, textOf } from './device-answer.ts';
import { SiteFailure } from './failures.ts';
import { orSiteNotFound } from './site-not-found.ts';

type SiteTarget = NonNullable<SiteRoute['target']>;

/** Deadline of a site's answer, in milliseconds: agents time out soon after. */
const DEADLINE_MS = 8_000;

/** Calls tools of devices through their proxies, for callers and with read-only tokens. */
export class SiteCalls {
  readonly #sites: Pick<SiteService, 'routeTo'>;
  readonly #deadlineMs: number;

  constructor(sites: Pick<SiteService, 'routeTo'>, deadlineMs = DEADLINE_MS) {
    this.#sites = sites;
    this.#deadlineMs = deadlineMs;
  }

  /**
   * Calls a tool of a site.
   *
   * @throws NotFound when the caller sees no such site; SiteFailure
   */
  async call(caller: Caller, siteId: number, name: string, given: object): Promise<object> {
    return this.callDevice(await this.routeTo(caller, siteId), name, given);
  }

  /** @throws NotFound when the caller sees no such site */
  routeTo(caller: Caller, siteId: number): Promise<SiteRoute> {
    return orSiteNotFound(siteId, this.#sites.routeTo(caller, siteId));
  }

  /**
   * @param name of the tool at the device
   * @returns the device's answer, whose content is unchecked
   * @throws SiteFailure
   */
  async callDevice(way: SiteRoute, name: string, given: object): Promise<object> {
    const params = { name, arguments: given };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { status, text } = await this.#exchange(way, body);
    const failure = failureOf(status, way);
    if (failure !== undefined) throw failure;
    return outputIn(text);
  }

  /** @throws SiteFailure when the site cannot be reached or does not answer in time */
  async #exchange(way: SiteRoute, body: string): Promise<{ status: number; text: string }> {
    const { target } = way;
    if (target === undefined) throw offline(way);
    const signal = AbortSignal.timeout(this.#deadlineMs);
    try {
      // A pooled connection may just have been closed. Tools only read, so that a second call does no harm.
      const response = await post(target, body, signal).catch((error: unknown) => {
        if (signal.aborted) throw error;
        return post(target, body, signal);
      });
      return { status: response.status, text: await textOf(response) };
    } catch (error) {
      if (error instanceof SiteFailure) throw error;
      if (signal.aborted)
        throw new SiteFailure('busy', 'The site did not answer in time: try again, or ask for less');
      throw offline(way);
    }
  }
}

function post(target: SiteTarget, body: string, signal: AbortSignal): Promise<Response> {
  const { proxyUrl, siteId, siteKey, token } = target;
  return fetch(new URL('/api/v1/mcp', proxyUrl), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'site-id': String(siteId),
      'site-key': siteKey,
      'content-type': 'application/json',
      accept: 'application/json',
      ...traceHeaders(),
    },
    body,
    redirect: 'manual',
    signal,
  });
}

/** The proxy answers 502 and 503 for a disconnected device, 504 for one that does not answer. */
function failureOf(status: number, way: SiteRoute): SiteFailure | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 502 && status <= 504) return offline(way);
  if (status === 404) return new SiteFailure('outdated', OUTDATED);
  if (status === 429)
    return new SiteFailure('busy', 'Too much is asked of the site at once: try again later');
  return new SiteFailure('failed', `The site refused the call (HTTP ${status})`);
}

function offline({ lastSeenAt }: SiteRoute): SiteFailure {
  const seen = lastSeenAt === null ? 'it was never seen' : `it was last seen at ${lastSeenAt}`;
  return new SiteFailure('offline', `The site is offline; ${seen}`);
}
