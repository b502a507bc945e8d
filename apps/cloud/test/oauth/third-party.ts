import type { Scope } from '@heliograph/contracts';
import * as client from 'openid-client';
import { newToken } from '../../src/common/secrets/opaque-token.ts';
import type { Answer, TestCloud } from '../test-cloud.ts';

/** An answer of the token endpoint: a token, or why there is none. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly id_token?: string;
  readonly error: string;
  readonly error_description: string;
}

interface ThirdPartyOptions {
  readonly kind?: 'confidential' | 'public';
  readonly scopes?: readonly Scope[];
  readonly redirectUri?: string;
  /** By default one of its own. */
  readonly organizationId?: number;
}

/** An application of an organization, which asks for access as its developers would. */
export class ThirdParty {
  readonly organizationId: number;
  readonly clientId: string;
  readonly secret: string | undefined;
  readonly redirectUri: string;
  /** Kept for the token request; its digest is in every address that users are sent to. */
  readonly verifier = client.randomPKCECodeVerifier();
  readonly #cloud: TestCloud;

  private constructor(
    cloud: TestCloud,
    credentials: Pick<ThirdParty, 'organizationId' | 'clientId' | 'secret' | 'redirectUri'>,
  ) {
    this.#cloud = cloud;
    this.organizationId = credentials.organizationId;
    this.clientId = credentials.clientId;
    this.secret = credentials.secret;
    this.redirectUri = credentials.redirectUri;
  }

  static async make(cloud: TestCloud, options: ThirdPartyOptions = {}): Promise<ThirdParty> {
    const { kind = 'public', scopes, redirectUri = 'https://app.example.org/callback' } = options;
    const organizationId = options.organizationId ?? (await cloud.make.organization());
    const secret = newToken('client');
    const clientId = await cloud.make.application(organizationId, {
      kind,
      secret,
      redirectUris: [redirectUri],
      ...(scopes && { scopes }),
    });
    return new ThirdParty(cloud, {
      organizationId,
      clientId,
      secret: kind === 'public' ? undefined : secret,
      redirectUri,
    });
  }

  /**
   * The same application as `openid-client` has it, which verifies signatures of id_tokens, too.
   *
   * @param authentication how it shows its secret; by default in the body, as it does without any
   */
  async openidClient(authentication?: client.ClientAuth): Promise<client.Configuration> {
    const execute = [client.allowInsecureRequests, client.enableNonRepudiationChecks];
    const url = new URL(this.#cloud.url);
    const given = authentication ?? (this.secret === undefined ? client.None() : undefined);
    return client.discovery(url, this.clientId, this.secret, given, { execute });
  }

  /** The authorization URL. @param changes of the default parameters; null leaves one out */
  async authorizationUrl(changes: Readonly<Record<string, string | null>> = {}): Promise<string> {
    const parameters = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      scope: 'openid sites:read_single',
      state: 'the-state',
      code_challenge: await client.calculatePKCECodeChallenge(this.verifier),
      code_challenge_method: 'S256',
      ...changes,
    };
    return `${this.#cloud.url}/oauth/authorize?${formOf(parameters)}`;
  }

  /** Asks for the token. @param changes instead of the usual fields; null leaves one out */
  redeem(code: string, changes: Readonly<Record<string, string | null>> = {}): Promise<Answer<TokenAnswer>> {
    return this.post('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      code,
      code_verifier: this.verifier,
      client_secret: this.secret ?? null,
      ...changes,
    });
  }

  /** Sends a form. */
  post(
    path: string,
    fields: Readonly<Record<string, string | null>> | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<TokenAnswer>> {
    const raw = typeof fields === 'string' ? fields : formOf(fields);
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.#cloud.call(`POST ${path}`, { raw, headers: { ...type, ...headers } });
  }
}

function formOf(fields: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== null);
  return new URLSearchParams(given).toString();
}
