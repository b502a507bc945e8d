import { randomBytes } from 'node:crypto';
import type { ClientAddress } from '../../common/client-address.ts';
import { newToken } from '../../common/secrets/opaque-token.ts';
import type { Platform } from '../../platform.ts';
import { addAgent } from '../applications/clients.ts';
import { type AgentMetadata, agentMetadata } from './agent-metadata.ts';
import { AGENT_SCOPES } from './challenge.ts';
import { InvalidAgentMetadata } from './errors.ts';
import { REGISTRATIONS, REGISTRATIONS_PER_NETWORK } from './limits.ts';

/** The answer to a registration: the stored metadata, and the credentials, which are shown this once (RFC 7591, 3.2.1). */
export interface AgentRegistered extends AgentMetadata {
  readonly client_id: string;
  /** Seconds since 1970. */
  readonly client_id_issued_at: number;
  readonly client_secret?: string;
  /** 0: it does not expire. */
  readonly client_secret_expires_at?: 0;
}

/**
 * Registers an agent without authentication: a registration permits nothing until a user consents.
 *
 * @param sent metadata of the agent (RFC 7591, 2)
 * @throws InvalidAgentMetadata; TooManyRequests
 */
export async function registerAgent(
  { db, limits, clock }: Platform,
  clientAddress: ClientAddress,
  sent: unknown,
): Promise<AgentRegistered> {
  await limits.consume(REGISTRATIONS_PER_NETWORK, clientAddress.network);
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    throw new InvalidAgentMetadata('invalid_client_metadata', 'Send a JSON object');
  }
  const metadata = agentMetadata({ ...sent }, 'registration');
  await limits.consume(REGISTRATIONS, 'all');
  const { client_name: name, redirect_uris: redirectUris, scope, ...others } = metadata;
  const clientId = `agent_${randomBytes(16).toString('base64url')}`;
  const secret = metadata.token_endpoint_auth_method === 'none' ? null : newToken('client');
  const requested = new Set(scope.split(' '));
  const scopes = AGENT_SCOPES.filter((known) => requested.has(known));
  const agent = { clientId, name, secret, redirectUris, scopes, metadata: others };
  await addAgent(db, agent, new Date(clock.now()));
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(clock.now() / 1000),
    ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 }),
    ...metadata,
  };
}
