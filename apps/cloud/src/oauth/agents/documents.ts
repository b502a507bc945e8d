import { type Clock, type Logger, reasonOf } from '@heliograph/kit';
import type { ClientAddress } from '../../common/client-address.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import { agentMetadata } from './agent-metadata.ts';
import { InvalidAgentMetadata } from './errors.ts';
import { type Fetched, FetchRefused, type GuardedFetch } from './guarded-fetch.ts';
import { DOCUMENTS_PER_HOST, DOCUMENTS_PER_NETWORK, FAILURE_LIFETIME_MS } from './limits.ts';
import { RecentFailures } from './recent-failures.ts';

/** Longest address of a document, in characters. */
const MAX_ID_LENGTH = 2_000;

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** How long a document is kept, whatever it says of itself, in seconds. */
export const DOCUMENT_LIFETIME_S = { min: 5 * 60, max: 60 * 60 };

export interface AgentDocumentsOptions {
  readonly fetch: GuardedFetch;
  readonly limits: RateLimits;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Documents that agents publish about themselves; the address of one is the agent's id (OAuth Client ID Metadata
 * Document). Whoever opens an authorization names an address, so they are fetched with care, and not often.
 */
export class AgentDocuments {
  readonly #options: AgentDocumentsOptions;
  readonly #failures: RecentFailures;

  constructor(options: AgentDocumentsOptions) {
    this.#options = options;
    this.#failures = new RecentFailures(options.clock, FAILURE_LIFETIME_MS);
  }

  /**
   * Whether a document may be fetched now: not one that was no good a moment ago.
   *
   * @param clientAddress who named it; undefined where an authorization that has begun needs it once more
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
   * The document at an address, with what is kept of it in place of all that it says.
   *
   * @throws FetchRefused; InvalidAgentMetadata
   */
  async fetch(id: string): Promise<Response> {
    try {
      const fetched = await this.#options.fetch.get(id);
      return Response.json({ client_id: id, ...metadataOf(id, fetched) }, { headers: fetched.headers });
    } catch (error) {
      this.#failures.add(id);
      // The agent is told that it failed; why is the operator's, because it tells what the cloud can reach.
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
