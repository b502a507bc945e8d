import type { OutgoingHttpHeaders } from 'node:http';
import type { ClientResponse } from '../http/client.ts';
import { isCorsHeader } from '../http/cors.ts';
import type { Refusal } from '../http/refuse.ts';
import { CONNECTION_LOST, DEVICE_TIMEOUT } from '../site-proxy/refusals.ts';
import { deviceCookie, EXPIRED_SITE_COOKIE } from './site-cookie.ts';

export interface BrowserResponseOptions {
  /** Whether the cookie is what lets the request in: then no page of another origin may read the answer. */
  readonly byCookie?: boolean;
  /** Whether a refusal leaves the cookie to the browser, which is for a support session. */
  readonly keepsCookie?: boolean;
  /** Answers a refusal in its own way; false: it is answered as to any other client. */
  readonly onRefusal?: (refusal: Refusal) => boolean;
}

/**
 * Headers whose effect outlasts the name of a site or reaches other hosts: alternative services,
 * transport policy, report endpoints, storage. `Clear-Site-Data` would delete the cookies of all
 * sites below the region's domain, and the cloud's with them.
 */
const DROPPED_HEADERS: ReadonlySet<string> = new Set([
  'alt-svc',
  'clear-site-data',
  'expect-ct',
  'nel',
  'public-key-pins',
  'public-key-pins-report-only',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'strict-transport-security',
]);

/** Statuses that another proxy answers for a failed relay; a device never sends them itself. */
const RELAYED_FAILURES: ReadonlyMap<number, Refusal> = new Map(
  [CONNECTION_LOST, DEVICE_TIMEOUT].map((refusal) => [refusal.status, refusal]),
);

/** The answer to a request at the host of a site, where a device's headers meet a browser that holds our cookie. */
export class BrowserResponse implements ClientResponse {
  readonly filtersHeaders = true;
  readonly flushHeaders?: () => void;
  readonly #res: ClientResponse;
  readonly #options: BrowserResponseOptions;
  #expiresCookie = false;
  /** Whether the visitor has another answer than that which comes. */
  #replaced = false;

  constructor(res: ClientResponse, options: BrowserResponseOptions = {}) {
    this.#res = res;
    this.#options = options;
    if (res.flushHeaders === undefined) return;
    this.flushHeaders = () => {
      if (!this.#replaced) res.flushHeaders?.();
    };
  }

  get headersSent(): boolean {
    return this.#res.headersSent;
  }

  get writableEnded(): boolean {
    return this.#res.writableEnded;
  }

  get destroyed(): boolean {
    return this.#res.destroyed;
  }

  handleRefusal(refusal: Refusal): boolean {
    const { byCookie = false, keepsCookie = false, onRefusal } = this.#options;
    this.#expiresCookie = byCookie && !keepsCookie && refusal.status === 401;
    return onRefusal?.(refusal) ?? false;
  }

  writeHead(status: number, headers: string[] | OutgoingHttpHeaders): unknown {
    const away = RELAYED_FAILURES.get(status);
    if (away !== undefined && this.#options.onRefusal?.(away)) {
      this.#replaced = true;
      return this;
    }
    const out: string[] = this.#expiresCookie ? ['set-cookie', EXPIRED_SITE_COOKIE] : [];
    for (const [name, value] of pairsOf(headers)) {
      const allowed = this.#allowed(name, value);
      if (allowed !== undefined) out.push(name, allowed);
    }
    return this.#res.writeHead(status, out);
  }

  writeContinue(): void {
    this.#res.writeContinue();
  }

  write(chunk: Buffer | string): boolean {
    return this.#replaced || this.#res.write(chunk);
  }

  end(chunk?: Buffer | string): unknown {
    if (this.#replaced) return this;
    return chunk === undefined ? this.#res.end() : this.#res.end(chunk);
  }

  destroy(): unknown {
    return this.#res.destroy();
  }

  on(event: 'close' | 'drain', listener: () => void): unknown {
    return this.#res.on(event, listener);
  }

  once(event: 'close' | 'drain', listener: () => void): unknown {
    return this.#res.once(event, listener);
  }

  #allowed(name: string, value: string): string | undefined {
    if (name === 'set-cookie') return deviceCookie(value);
    if (DROPPED_HEADERS.has(name)) return undefined;
    return this.#options.byCookie && isCorsHeader(name) ? undefined : value;
  }
}

function* pairsOf(
  headers: string[] | OutgoingHttpHeaders,
): Generator<readonly [name: string, value: string]> {
  if (Array.isArray(headers)) {
    for (let i = 0; i + 1 < headers.length; i += 2)
      yield [(headers[i] ?? '').toLowerCase(), headers[i + 1] ?? ''];
    return;
  }
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value]) yield [name.toLowerCase(), String(one)];
  }
}
