import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { APPLICATION, CHALLENGE } from './application.ts';

/** The account that every code is for. */
const ACCOUNT = '1';
const CLAIMS = {
  sub: ACCOUNT,
  email: 'user1@example.org',
  email_verified: true,
  name: 'Ada Example',
  given_name: 'Ada',
  family_name: 'Example',
  locale: 'en',
};

/** The peer: oidc-provider as it comes, in memory, on a plain server, issuing what the cloud issues. */
function createProvider(url: string): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return new Provider(url, {
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS512', kid: 'bench' }] },
    clients: [
      {
        client_id: APPLICATION.clientId,
        client_secret: APPLICATION.secret,
        redirect_uris: [APPLICATION.redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'RS512',
      },
    ],
    routes: { token: '/oauth/token' },
    scopes: APPLICATION.scope.split(' '),
    claims: { openid: Object.keys(CLAIMS) },
    conformIdTokenClaims: false,
    findAccount: (_ctx, accountId) => ({ accountId, claims: async () => CLAIMS }),
    enabledJWA: { idTokenSigningAlgValues: ['RS512'] },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 86_400, AuthorizationCode: 60, Grant: 86_400, IdToken: 3_600, Session: 3_600 },
    expiresWithSession: () => false,
  });
}

/** Codes as a consent leaves them. */
async function issueCodes({ Client, Grant, AuthorizationCode }: Provider, count: number): Promise<string[]> {
  const client = await Client.find(APPLICATION.clientId);
  if (client === undefined) throw new Error('There is no client');
  const codes: string[] = [];
  for (let i = 0; i < count; i++) {
    const grant = new Grant({ accountId: ACCOUNT, clientId: APPLICATION.clientId });
    grant.addOIDCScope(APPLICATION.scope);
    const grantId = await grant.save();
    const code = new AuthorizationCode({
      accountId: ACCOUNT,
      client,
      grantId,
      gty: 'authorization_code',
      redirectUri: APPLICATION.redirectUri,
      scope: APPLICATION.scope,
      codeChallenge: CHALLENGE,
      codeChallengeMethod: 'S256',
    });
    codes.push(await code.save());
  }
  return codes;
}

const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const provider = createProvider(url);
server.on('request', provider.callback());
process.on('message', async ({ count }: { count: number }) => {
  process.send?.({ codes: await issueCodes(provider, count) });
});
process.once('disconnect', () => process.kill(process.pid));
process.send?.({ url });
