import { type Clock, type Logger, reasonOf } from '@heliograph/kit';
import type { ClientAddress } from '../../common/client-address.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import { type Fetched, FetchRefused, type GuardedFetch } from '../../common/outbound/guarded-fetch.ts';
import { agentMetadata } from './agent-metadata.ts';
import { InvalidAgentMetadata } from './errors.ts';
import { DOCUMENTS_PER_HOST, DOCUMENTS_PER_NETWORK, FAILURE_LIFETIME_MS } from './limits.ts';

/** Longest address of a document, in characters. */
const MAX_ID_LENGTH = 2_000;

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** Bounds of a document's cache lifetime, whatever its headers, in seconds. */
export const DOCUMENT_LIFETIME_S = { min: 5 * 60, max: 60 * 60 };

export interface AgentDocumentsOptions {
  readonly fetch: GuardedFetch;
  readonly limits: RateLimits;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Documents that agents publish about themselves; the address of one is the agent's id (OAuth Client ID Metadata
 * Document). Any client that opens an authorization names an address, so fetches are guarded and limited.
 */
export class AgentDocuments {
  readonly #options: AgentDocumentsOptions;
  readonly #failures: RecentFailures;

  constructor(options: AgentDocumentsOptions) {
    this.#options = options;
    this.#failures = new RecentFailures(options.clock, FAILURE_LIFETIME_MS);
  }

  /**
   * Whether a document may be fetched now, which is not so shortly after a failure.
   *
   * @param clientAddress of the client that named it; undefined for another fetch in an authorization under way
   * @throws TooManyRequests
   */
  async mayFetch(clientAddress: ClientAddress | undefined, id: string): Promise<boolean> {
    if (id.length > MAX_ID_LENGTH || this.#failures.has(id)) return false;
    const { limits } = this.#options;
    if (clientAddress !== undefined) await limits.consume(DOCUMENTS_PER_NETWORK, clientAddress.network);
    await limits.consume(DOCUMENTS_PER_HOST, URL.parse(id)?.hostname ?? null);
    return true;
  }

  /**
   * Fetches the document at an address, reduced to its supported fields.
   *
   * @throws FetchRefused; InvalidAgentMetadata
   */
  async fetch(id: string): Promise<Response> {
    try {
      const fetched = await this.#options.fetch.get(id);
      return Response.json({ client_id: id, ...metadataOf(id, fetched) }, { headers: fetched.headers });
    } catch (error) {
      this.#failures.add(id);
      // The reason is for the operator alone, because it discloses the addresses that the cloud can reach.
      this.#options.logger.info(
        { agent: id, reason: reasonOf(error) },
        'the document about an agent is no good',
      );
      throw error;
    }
  }
}

function metadataOf(id: string, { status, headers, body }: Fetched) {
  if (status !== 200) throw new FetchRefused(`the answer is ${status}`);
  if (!JSON_TYPE.test(headers.get('content-type') ?? '')) throw new FetchRefused('the answer is no JSON');
  const sent = parsed(body);
  if (sent.client_id !== id) throw invalid('client_id must be the address of the document');
  if ('client_secret' in sent) throw invalid('client_secret must not be published');
  return agentMetadata(sent, 'document');
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch (error) {
    throw new FetchRefused('the answer is no JSON', { cause: error });
  }
  throw invalid('the document must be a JSON object');
}

function invalid(message: string): InvalidAgentMetadata {
  return new InvalidAgentMetadata('invalid_client_metadata', message);
}

/** Cached failures; the oldest is dropped first. */
const MAX_FAILURES = 1_000;

/** Caches failures for a short time, so that a repeated request does not repeat its work. */
class RecentFailures {
  readonly #clock: Clock;
  readonly #lifetimeMs: number;
  readonly #until = new Map<string, number>();

  constructor(clock: Clock, lifetimeMs: number) {
    this.#clock = clock;
    this.#lifetimeMs = lifetimeMs;
  }

  has(key: string): boolean {
    return (this.#until.get(key) ?? 0) > this.#clock.now();
  }

  add(key: string): void {
    this.#until.delete(key);
    this.#until.set(key, this.#clock.now() + this.#lifetimeMs);
    const [oldest] = this.#until.keys();
    if (this.#until.size > MAX_FAILURES && oldest !== undefined) this.#until.delete(oldest);
  }
}
