import { Resolver } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** Deadline of the whole fetch, in milliseconds. */
const DEADLINE_MS = 5_000;

/** Deadline of a message and its answer, in milliseconds. */
const POST_DEADLINE_MS = 10_000;

/** Largest document, in bytes. */
const BODY_LIMIT = 10 * 1024;

/** Largest headers of an answer, in bytes. */
const HEADER_LIMIT = 64 * 1024;

/** Limit of reading the rest of an answer whose status is known, in milliseconds. */
const DRAIN_MS = 1_000;

/** Replacements for the internet in tests. */
export interface GuardedFetchOptions {
  /** The addresses of a name. */
  readonly resolve?: (name: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** Certificates of authorities to trust, PEM, instead of the system's. */
  readonly ca?: string | Buffer;
  readonly allowAddress?: (address: string) => boolean;
  /** The port that https is served at. */
  readonly port?: number;
  readonly deadlineMs?: number;
}

export interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A fetch was refused or failed. The message is for the operator's log, as it discloses what the cloud can reach. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
}

/** Messages to one host, over one connection. */
export interface GuardedConnection {
  /**
   * Posts to the address that was connected to, one message after the other. A message on a connection that the receiver
   * had closed is repeated once on a fresh one.
   *
   * @returns the status of the answer, as soon as its header is there
   * @throws FetchRefused
   */
  post(headers: Readonly<Record<string, string>>, body: string | Buffer): Promise<number>;
  close(): void;
}

/**
 * Requests to untrusted addresses, on the public internet alone: https, no redirects, no credentials, limited in time
 * and size. The checked address is the one that is connected to, which prevents DNS rebinding.
 *
 * @param ownHost the cloud's host name, which is refused as well
 */
export class GuardedFetch {
  readonly #ownHost: () => string;
  readonly #options: Required<Omit<GuardedFetchOptions, 'ca' | 'deadlineMs'>> &
    Pick<GuardedFetchOptions, 'ca' | 'deadlineMs'>;

  constructor(ownHost: () => string, options: GuardedFetchOptions = {}) {
    this.#ownHost = ownHost;
    this.#options = { resolve: resolvePublicly, allowAddress: isPublicAddress, port: 443, ...options };
  }

  /** Fetches a document at the port of https. @throws FetchRefused for a forbidden address, and for a failed fetch */
  async get(address: string): Promise<Fetched> {
    const url = this.#checked(address);
    if (url.port !== '') throw new FetchRefused(`port ${url.port} is not the one of https`);
    const { port, deadlineMs = DEADLINE_MS } = this.#options;
    return this.#within(url, deadlineMs, async (signal) => {
      const lookup = pinnedTo(await this.#addressesOf(url.hostname, signal));
      const options = { ...this.#requestOptions(signal), agent: false, port, lookup } as const;
      return new Promise((resolve, reject) => {
        const headers = { accept: 'application/json', host: url.host };
        request(url, { ...options, headers }, (response) => readAll(response).then(resolve, reject))
          .on('error', reject)
          .end();
      });
    });
  }

  /**
   * Why nothing may be sent to an address, for the person who entered it: without the addresses that the cloud found.
   *
   * @returns undefined when it may
   */
  async refusal(address: string): Promise<string | undefined> {
    try {
      const url = this.#checked(address);
      return await this.#within(url, DEADLINE_MS, (signal) => this.#addressesOf(url.hostname, signal)).then(
        () => undefined,
        () => 'its host has no address on the public internet',
      );
    } catch (error) {
      if (error instanceof FetchRefused) return error.message;
      throw error;
    }
  }

  /** For messages to an address, at any port. @throws FetchRefused */
  async connect(address: string): Promise<GuardedConnection> {
    const url = this.#checked(address);
    const { port, deadlineMs = POST_DEADLINE_MS } = this.#options;
    const addresses = await this.#within(url, deadlineMs, (signal) =>
      this.#addressesOf(url.hostname, signal),
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const options = {
      agent,
      port: url.port === '' ? port : Number(url.port),
      method: 'POST',
      lookup: pinnedTo(addresses),
    };
    let drained: Promise<void> | undefined;
    return {
      post: async (headers, body) => {
        await drained;
        return this.#within(url, deadlineMs, async (signal) => {
          const sent = { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) };
          const message = { ...this.#requestOptions(signal), ...options, headers: sent };
          const response = await send(url, message, body);
          drained = drain(response);
          return response.statusCode ?? 0;
        });
      },
      close: () => agent.destroy(),
    };
  }

  #checked(address: string): URL {
    const url = URL.parse(address);
    if (url === null || url.protocol !== 'https:') throw new FetchRefused('it is no https URL');
    if (url.username !== '' || url.password !== '') throw new FetchRefused('it has credentials in it');
    // The URL parser has normalised every notation of an IPv4 address, octal and hexadecimal ones too.
    if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) throw new FetchRefused('its host is an address');
    if (bare(url.hostname) === bare(this.#ownHost())) throw new FetchRefused('its host is the cloud itself');
    return url;
  }

  async #addressesOf(name: string, signal: AbortSignal): Promise<readonly string[]> {
    const addresses = await this.#options.resolve(name, signal);
    if (addresses.length === 0) throw new FetchRefused(`${name} has no address`);
    const inner = addresses.find((address) => !this.#options.allowAddress(address));
    if (inner !== undefined) throw new FetchRefused(`${name} has the address ${inner}, which is not public`);
    return addresses;
  }

  async #within<T>(url: URL, deadlineMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      return await work(signal);
    } catch (error) {
      if (error instanceof FetchRefused) throw error;
      const reason = signal.aborted ? 'took too long' : 'failed';
      throw new FetchRefused(`fetching from ${url.host} ${reason}`, { cause: error });
    }
  }

  #requestOptions(signal: AbortSignal) {
    const { ca } = this.#options;
    return {
      signal,
      maxHeaderSize: HEADER_LIMIT,
      rejectUnauthorized: true,
      ...(ca !== undefined && { ca }),
    };
  }
}

/** A lookup function that returns the checked addresses. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, { all: wantsAll }, callback) => {
    if (wantsAll) callback(null, all);
    else callback(null, all[0]?.address ?? '', all[0]?.family);
  };
}

async function readAll(response: IncomingMessage): Promise<Fetched> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_LIMIT) throw new FetchRefused(`the document is longer than ${BODY_LIMIT} bytes`);
    chunks.push(chunk);
  }
  const headers = new Headers();
  for (const name of ['content-type', 'cache-control', 'expires']) {
    const value = response.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return { status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks).toString('utf8') };
}

/**
 * Sends a message; once more where a reused connection ended before the first byte of an answer.
 *
 * @returns its answer, whose body is yet to be read
 */
function send(url: URL, options: RequestOptions, body: string | Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let bytesBefore = 0;
    const message = request(url, options, resolve)
      .on('socket', ({ bytesRead }) => {
        bytesBefore = bytesRead;
      })
      .on('error', (error) => {
        const isStale = message.reusedSocket && message.socket?.bytesRead === bytesBefore;
        // The agent has no other connection, so the next one is fresh.
        if (isStale && !options.signal?.aborted) resolve(send(url, options, body));
        else reject(error);
      })
      .end(body);
  });
}

/**
 * Reads an answer to its end, so that its connection can be used again. A long or slow one costs the connection, and nothing
 * else.
 */
async function drain(response: IncomingMessage): Promise<void> {
  const timer = setTimeout(() => response.destroy(), DRAIN_MS);
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > BODY_LIMIT) return;
    }
  } catch {
    response.destroy();
  } finally {
    clearTimeout(timer);
  }
}

/** Removes the trailing dot of a name. */
function bare(host: string): string {
  return host.replace(/\.$/, '').toLowerCase();
}

/** Timeout of a name server, in milliseconds, for at most two attempts. */
const ANSWER_TIMEOUT_MS = 1_500;

/**
 * Resolves a name by DNS itself: names in the hosts file or the search domains of this machine are not found, and a slow
 * name server blocks no thread of the pool.
 *
 * @param signal cancels the queries
 * @returns an empty list for a name without addresses
 */
async function resolvePublicly(name: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: ANSWER_TIMEOUT_MS, tries: 2 });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.throwIfAborted();
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
