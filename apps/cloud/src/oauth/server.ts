import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';
import { deriveKeys } from '../common/secrets/derive-key.ts';
import { newToken, tokenHash } from '../common/secrets/opaque-token.ts';
import type { IdentityPlatform } from '../identity/platform.ts';
import { accessTokenAdapter } from './adapters/access-tokens.ts';
import { clientAdapter } from './adapters/clients.ts';
import { codeAdapter } from './adapters/codes.ts';
import { grantAdapter } from './adapters/grants.ts';
import { interactionAdapter } from './adapters/interactions.ts';
import { recordAdapter } from './adapters/records.ts';
import { mcpResource } from './agents/challenge.ts';
import { AgentDocuments } from './agents/documents.ts';
import { withholdErrorRedirects } from './agents/error-redirects.ts';
import { CodeExchanges } from './code-exchanges.ts';
import { configurationOf, ROUTES } from './configuration.ts';
import { answerFailure, catchFailures } from './failures.ts';
import { CODE_MODEL } from './grants/codes.ts';
import { claimsOf } from './identity/identity.ts';
import { guardPages } from './page-headers.ts';
import { completeTokenAnswer } from './token-response.ts';

interface CurrentProvider {
  /** The address and the keys that it was made with. */
  readonly of: string;
  readonly provider: Provider;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** The OAuth and OpenID Connect server: oidc-provider on the tables of the service. */
export class OAuthServer {
  readonly #platform: IdentityPlatform;
  readonly #documents: AgentDocuments;
  #current: CurrentProvider | undefined;

  constructor(platform: IdentityPlatform) {
    this.#platform = platform;
    const { internet, limits, clock, logger } = platform;
    this.#documents = new AgentDocuments({ fetch: internet, limits, clock, logger });
  }

  /** The OAuth server as it is now. */
  provider(): Provider {
    return this.#upToDate().provider;
  }

  /** Answers a request from its socket. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.#upToDate().handle(request, response);
  }

  /** It takes its keys when it is made, so each change of them makes another. What it knows is in the database. */
  #upToDate(): CurrentProvider {
    const { keys, cloudUrl } = this.#platform;
    const of = `${cloudUrl()} ${keys.identityVersion()}`;
    if (this.#current?.of === of) return this.#current;
    const provider = this.#create();
    this.#current = { of, provider, handle: provider.callback() };
    return this.#current;
  }

  #create(): Provider {
    const platform = this.#platform;
    const { db, config, keys, cloudUrl, logger } = platform;
    const mcpUrl = mcpResource(cloudUrl());
    const exchanges = new CodeExchanges(platform);
    const adapters: Readonly<Record<string, ReturnType<typeof grantAdapter>>> = {
      Client: clientAdapter(db, exchanges),
      Interaction: interactionAdapter(platform),
      Grant: grantAdapter(platform, exchanges),
      [CODE_MODEL]: codeAdapter(platform, exchanges),
      AccessToken: accessTokenAdapter(platform, exchanges, mcpUrl),
    };
    const provider = new Provider(
      cloudUrl(),
      configurationOf({
        adapter: (model) => adapters[model] ?? recordAdapter(model, platform),
        jwks: { keys: keys.identityKeys().map(({ privateJwk }) => privateJwk) },
        cookieKeys: deriveKeys(config.secret, 'cookies of authorizations').map((key) =>
          key.toString('base64url'),
        ),
        mcpUrl,
        registrationUrl: cloudUrl() + ROUTES.registration,
        documents: this.#documents,
        claimsOf: async (userId) => (await exchanges.claims(userId)) ?? claimsOf(db, userId),
      }),
    );
    // Requests have the public address as their host: see routes.ts.
    provider.proxy = true;
    provider.use(guardPages);
    provider.use(catchFailures(logger));
    provider.use(completeTokenAnswer(exchanges));
    compareSecretDigests(provider);
    nameTokens(provider);
    withholdErrorRedirects(provider);
    provider.on('server_error', (ctx, error) => answerFailure(ctx, error, logger));
    // Without it the provider prints broken connections to the console.
    provider.onerror = ({ message }) => logger.debug({ reason: message }, 'an OAuth request broke off');
    return provider;
  }
}

/** Compares the digest of a client's secret with the stored one, in constant time. */
function compareSecretDigests({ Client }: Provider): void {
  Client.prototype.compareClientSecret = function (secret: string): boolean {
    const stored = Buffer.from(this.clientSecret ?? '', 'hex');
    const sent = tokenHash(secret);
    return stored.length === sent.length && timingSafeEqual(stored, sent);
  };
}

interface NamedToken {
  readonly aud?: string | string[];
  format?: string;
}

/** Access tokens have a prefix by kind, like the other tokens of the service; only those of agents have an audience. */
function nameTokens({ AccessToken }: Provider): void {
  Object.assign(AccessToken.prototype, {
    generateTokenId(this: NamedToken): string {
      // The replaced method sets the format, which is read later.
      this.format = 'opaque';
      return newToken(this.aud === undefined ? 'oauth' : 'mcp');
    },
  });
}
