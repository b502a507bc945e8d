import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inPieces } from '@heliograph/dev/in-pieces';

export interface ShellyServerOptions {
  /** Answers by path. All others are answered as by a device that has no such component. */
  readonly answers: ReadonlyMap<string, unknown>;
  /** Wanted for every path but `/shelly`; the scheme is that of the device's generation. */
  readonly password?: { readonly scheme: 'basic' | 'digest'; readonly text: string };
}

export interface ShellyServer {
  /** As a configuration has it. */
  readonly bus: string;
  /** The paths that were requested, with the status of each answer. */
  readonly requests: readonly string[];
  /** Digest logins end with their nonce: later requests need another one. */
  renewNonce(): void;
  stop(): Promise<void>;
}

const REALM = 'shellypro3em-08f9e0e67204';

/**
 * A Shelly device as its API is documented: https://shelly-api-docs.shelly.cloud/gen2/General/Authentication (RFC 7616 with
 * SHA-256), and basic authentication of the first generation.
 */
export async function startShelly({ answers, password }: ShellyServerOptions): Promise<ShellyServer> {
  const requests: string[] = [];
  let nonce = 1_625_038_762;
  let lastCount = 0;
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

  const isAuthorized = ({ url = '', headers: { authorization = '' } }: IncomingMessage): boolean => {
    if (password === undefined || url === '/shelly') return true;
    if (password.scheme === 'basic') {
      return authorization === `Basic ${Buffer.from(`admin:${password.text}`).toString('base64')}`;
    }
    const fields = Object.fromEntries(
      [...authorization.matchAll(/(\w+)="?([^",]+)"?/g)].map(([, name = '', value = '']) => [name, value]),
    );
    const { nc = '0', cnonce = '', response, uri, username } = fields;
    const count = Number.parseInt(nc, 16);
    const expected = sha256(
      `${sha256(`admin:${REALM}:${password.text}`)}:${nonce}:${nc}:${cnonce}:auth:${sha256(`GET:${url}`)}`,
    );
    const isRight =
      username === 'admin' && uri === url && Number(fields.nonce) === nonce && response === expected;
    if (!isRight || count <= lastCount) return false;
    lastCount = count;
    return true;
  };

  const server = createServer((request, response) => {
    const { url = '' } = request;
    const answer = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
      requests.push(`${url} ${status}`);
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
      response.end(JSON.stringify(body));
    };
    if (!isAuthorized(request)) {
      const challenge =
        password?.scheme === 'basic'
          ? 'Basic realm="Shelly"'
          : `Digest qop="auth", realm="${REALM}", nonce="${nonce}", algorithm=SHA-256`;
      answer(401, {}, { 'www-authenticate': challenge });
    } else if (answers.has(url)) answer(200, answers.get(url));
    else answer(404, { code: 404, message: `No handler for ${url}` });
  });
  inPieces(server).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    bus: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    renewNonce() {
      nonce += 1;
      lastCount = 0;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
