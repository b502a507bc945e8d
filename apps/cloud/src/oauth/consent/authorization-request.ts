import type { IncomingMessage, ServerResponse } from 'node:http';
import { SCOPES, type Scope } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import { decodeJwt } from 'jose';
import type { Client, Interaction } from 'oidc-provider';
import { isApplicationId } from '../applications/credentials.ts';
import { consumeRecord } from '../grants/authorization-records.ts';
import type { ConsentPlatform } from './consent.ts';

/** A program's request to the person in front of the browser. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly clientName: string;
  readonly kind: 'application' | 'agent';
  /** Address of the agent's metadata document; null for registered agents, and for applications. */
  readonly publishedAt: string | null;
  /** Host that the browser goes to afterwards, the only verified fact about an agent. */
  readonly redirectHost: string;
  readonly scopes: readonly Scope[];
  /** The resource that the token will be for; null for the HTTP API. */
  readonly resource: string | null;
  /** The person's email address, as the program expects it. */
  readonly loginHint: string | null;
  /** The account that the program requires; null for any. */
  readonly userId: number | null;
  /** Earliest acceptable time of the sign-in, in milliseconds. */
  readonly signedInSinceMs: number;
  /** Reserves the right to answer, once. @throws NotFound when the request was answered before */
  claim(): Promise<void>;
  /** Continues the authorization. @returns the URL that the browser goes to next */
  answer(result: AuthorizationResult): Promise<string>;
}

export type AuthorizationResult =
  | { readonly userId: number; readonly signedInAtMs: number; readonly grantId: string }
  | 'denied';

/**
 * The request that the browser's cookie names.
 *
 * @param uid the id in the path
 * @throws NotFound when it has expired or been answered, and for another browser than the one it began in
 */
export async function authorizationRequest(
  platform: ConsentPlatform,
  uid: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<AuthorizationRequest> {
  const provider = platform.oauth.provider();
  const interaction = await provider.interactionDetails(request, response).catch(() => undefined);
  if (interaction === undefined || interaction.uid !== uid) throw new NotFound(GONE);
  // The OAuth server deletes it only when the browser continues, which may take a while.
  if (interaction.result !== undefined) throw new NotFound(GONE);
  const client = await provider.Client.find(String(interaction.params.client_id)).catch(() => undefined);
  if (client === undefined) throw new NotFound(GONE);
  return {
    // The OAuth server uses the system's clock.
    ...describe(interaction, client, interaction.iat * 1000 - Date.now() + platform.clock.now()),
    async claim() {
      if (!(await consumeRecord(platform, 'Interaction', uid))) throw new NotFound(GONE);
    },
    async answer(result) {
      return provider.interactionResult(request, response, submission(result), {
        mergeWithLastSubmission: false,
      });
    },
  };
}

const GONE = 'This request has expired or was answered already';

function describe(
  { params, prompt }: Interaction,
  client: Client,
  requestedAtMs: number,
): Omit<AuthorizationRequest, 'claim' | 'answer'> {
  const { scope, resource, login_hint: hint, redirect_uri: uri, id_token_hint: token } = params;
  return {
    clientId: client.clientId,
    publishedAt: URL.canParse(client.clientId) ? new URL(client.clientId).host : null,
    clientName: client.clientName ?? client.clientId,
    kind: isApplicationId(client.clientId) ? 'application' : 'agent',
    redirectHost: hostOf(String(uri)),
    scopes: String(scope ?? '')
      .split(' ')
      .filter((name): name is Scope => Object.hasOwn(SCOPES, name)),
    // A list if it was sent twice; any other resource was refused before.
    resource: [resource].flat().find((one) => typeof one === 'string') ?? null,
    loginHint: typeof hint === 'string' ? hint : null,
    // The signature was verified when the request arrived.
    userId: typeof token === 'string' ? Number(decodeJwt(token).sub) : null,
    signedInSinceMs: signedInSince(prompt.reasons, params.max_age, requestedAtMs),
  };
}

/** `prompt=login` requires a new sign-in, `max_age` one not older than so many seconds (OpenID Connect Core, 3.1.2.1). */
function signedInSince(reasons: readonly string[], maxAgeS: unknown, requestedAtMs: number): number {
  if (reasons.includes('login_prompt')) return requestedAtMs;
  return reasons.includes('max_age') ? requestedAtMs - Number(maxAgeS) * 1000 : 0;
}

function submission(result: AuthorizationResult) {
  if (result === 'denied') {
    return { error: 'access_denied', error_description: 'The user did not allow it' };
  }
  const { userId, signedInAtMs, grantId } = result;
  return {
    login: { accountId: String(userId), ts: Math.floor(signedInAtMs / 1000), amr: ['pwd'], remember: false },
    consent: { grantId },
  };
}

/** For a private-use URI its scheme, as the part in the place of a host, `app://known.example`, is no address. */
function hostOf(uri: string): string {
  const { host, protocol } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol;
}
