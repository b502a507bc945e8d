import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { clientAddressFrom } from '../../common/client-address.ts';
import { TooManyRequests } from '../../common/errors.ts';
import { type AgentDocuments, DOCUMENT_LIFETIME_S } from './documents.ts';

/** In bytes. The stored part is hardly longer than the document, whose length is limited when it is fetched. */
const METADATA_LIMIT = 16 * 1024;

type DocumentFeature = NonNullable<NonNullable<Configuration['features']>['clientIdMetadataDocument']>;

/** Settings of oidc-provider for documents of agents, the only thing that it fetches. */
export function documentSupport(documents: AgentDocuments): {
  readonly feature: DocumentFeature;
  readonly fetching: Pick<Configuration, 'fetch' | 'fetchResponseBodyLimits'>;
} {
  return {
    feature: {
      enabled: true,
      // The revision of the draft that this version speaks; it refuses to start with another.
      ack: 'draft-02',
      // The consent page looks up clients outside requests of the OAuth server.
      allowFetch: async (ctx: KoaContextWithOIDC | undefined, id) => {
        try {
          return await documents.mayFetch(ctx && clientAddressFrom(ctx.ip), id);
        } catch (error) {
          throw error instanceof TooManyRequests ? tooMany(ctx, error) : error;
        }
      },
      cacheDuration: DOCUMENT_LIFETIME_S,
    },
    fetching: {
      fetch: (id) => documents.fetch(String(id)),
      fetchResponseBodyLimits: { 'client_id metadata document': METADATA_LIMIT },
    },
  };
}

/** OAuth has no error of its own for it. */
function tooMany(ctx: KoaContextWithOIDC | undefined, { retryAfterS, message }: TooManyRequests): Error {
  ctx?.set('retry-after', String(retryAfterS));
  return Object.assign(new errors.TemporarilyUnavailable(message), { status: 429, statusCode: 429 });
}
