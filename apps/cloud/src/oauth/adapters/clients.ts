import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Database } from '../../db/open.ts';
import { findClient } from '../applications/clients.ts';
import type { ClientRecord } from '../applications/records.ts';
import type { CodeExchanges } from '../code-exchanges.ts';
import { UNUSED } from './unused.ts';

/** Applications and agents, as the OAuth server knows clients. */
export function clientAdapter(db: Database, exchanges: CodeExchanges): Adapter {
  return {
    ...UNUSED,
    async find(id) {
      // The database has no text with it, and would fail over the question.
      if (id.includes('\0')) return undefined;
      exchanges.begin();
      const client = await findClient(db, id);
      return client && metadataOf(client);
    },
  };
}

/** The metadata of a client (RFC 7591, OpenID Connect Dynamic Client Registration 1.0). */
export function metadataOf(client: ClientRecord): AdapterPayload {
  const { clientId, name, secretHash, redirectUris, scopes, metadata } = client;
  // An application that is there for its identity tokens alone is never redirected to.
  const flows = redirectUris.length === 0 ? [] : (['code'] as const);
  return {
    client_id: clientId,
    client_name: name,
    redirect_uris: [...redirectUris],
    response_types: [...flows],
    grant_types: redirectUris.length === 0 ? [] : ['authorization_code'],
    scope: scopes.join(' '),
    application_type: redirectUris.some(isPrivateUse) ? 'native' : 'web',
    ...(client.kind === 'agent' && metadata),
    // Either way of showing a secret will do. The server compares what it is shown with this digest.
    ...(secretHash === null
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_post', client_secret: secretHash.toString('hex') }),
  };
}

/** A scheme of an app on the user's own machine (RFC 8252, 7.1). */
function isPrivateUse(uri: string): boolean {
  return !/^https?:/i.test(uri);
}
