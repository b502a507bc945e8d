import type { Clock, Logger } from '@heliograph/kit';
import { Provider } from 'oidc-provider';
import type { Actor } from '../db/audit.ts';
import type { ApplicationService } from '../features/applications/service.ts';
import type { GrantService } from '../features/grants/service.ts';
import type { IdentityService } from '../features/identity/service.ts';
import type { KeyService } from '../features/keys/service.ts';
import { SERVICE } from '../features/tokens/policy.ts';
import { deriveKey } from '../secrets/derive-key.ts';
import { accessTokenAdapter } from './adapters/access-tokens.ts';
import { clientAdapter } from './adapters/clients.ts';
import { grantAdapter } from './adapters/grants.ts';
import { recordAdapter } from './adapters/records.ts';
import { mcpResource } from './agents/challenge.ts';
import { compareSecretDigests } from './client-secrets.ts';
import { configurationOf } from './configuration.ts';
import { completeTokenAnswer, noteChosenSite } from './token-response.ts';
import { nameTokens } from './token-values.ts';

export interface OAuthServerOptions {
  readonly applications: ApplicationService;
  readonly connections: {
    /** Ends a grant with all that was issued from it. */
    endGrant(grantId: string, actor: Actor): Promise<boolean>;
  };
  readonly grants: GrantService;
  readonly identity: IdentityService;
  readonly keys: KeyService;
  /** The cloud's secret, from which the key follows that signs the server's cookies. */
  readonly secret: string;
  /** Where clients reach the cloud, which is the issuer. Known once the cloud listens. */
  readonly cloudUrl: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The OAuth and OpenID Connect server: oidc-provider on the tables of the service. */
export class OAuthServer {
  readonly #options: OAuthServerOptions;
  #provider: { readonly of: string; readonly provider: Provider } | undefined;

  constructor(options: OAuthServerOptions) {
    this.#options = options;
  }

  /** It takes its keys when it is made, so there is another one after each change of them. What it knows is in the database. */
  provider(): Provider {
    const { keys, cloudUrl } = this.#options;
    const of = `${cloudUrl()} ${keys.identityVersion()}`;
    if (this.#provider?.of !== of) this.#provider = { of, provider: this.#create() };
    return this.#provider.provider;
  }

  #create(): Provider {
    const { applications, grants, identity, keys, secret, cloudUrl, clock, logger } = this.#options;
    const mcpUrl = mcpResource(cloudUrl());
    const adapters: Readonly<Record<string, ReturnType<typeof grantAdapter>>> = {
      Client: clientAdapter(applications),
      Grant: grantAdapter(grants, this),
      AccessToken: accessTokenAdapter({
        grants,
        ender: this,
        mcpUrl,
        now: () => clock.now(),
        onIssued: (siteId) => noteChosenSite(Provider.ctx ?? {}, siteId),
      }),
    };
    const provider = new Provider(
      cloudUrl(),
      configurationOf({
        adapter: (model) => adapters[model] ?? recordAdapter(model, grants, this),
        jwks: { keys: keys.identityKeys().map(({ privateJwk }) => privateJwk) },
        cookieKey: deriveKey(secret, 'cookies of authorizations').toString('base64url'),
        mcpUrl,
        claimsOf: (userId) => identity.claimsOf(userId),
      }),
    );
    // The public address is what every request is made to look like before it comes here: see routes.ts.
    provider.proxy = true;
    provider.use(completeTokenAnswer);
    compareSecretDigests(provider);
    nameTokens(provider);
    provider.on('server_error', (_ctx, error) => logger.error({ err: error }, 'the OAuth server failed'));
    return provider;
  }

  /** What the standard ends a grant for: a code that was used twice, a token that was revoked. */
  async endGrant(grantId: string): Promise<void> {
    await this.#options.connections.endGrant(grantId, SERVICE);
  }
}
