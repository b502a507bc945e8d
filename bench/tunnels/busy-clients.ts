import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { WebSocket } from 'ws';

/** Clients that read homes without a pause, and follow the stream of each. */
export interface BusyClientsOrder {
  readonly proxyUrl: string;
  /** One a home. */
  readonly credentials: readonly {
    readonly token: string;
    readonly siteId: number;
    readonly siteKey: string;
  }[];
  /** Requests of a home that are under way. */
  readonly requests: number;
  /** The certificate to trust, PEM, where the proxy speaks TLS. */
  readonly ca: string | undefined;
}

process.once('message', async ({ proxyUrl, credentials, requests, ca }: BusyClientsOrder) => {
  const isTls = ca !== undefined;
  const tls = isTls ? { ca, servername: 'localhost' } : {};
  const request = isTls ? httpsRequest : httpRequest;
  for (const { token, siteId, siteKey } of credentials) {
    const headers = {
      authorization: `Bearer ${token}`,
      'site-id': String(siteId),
      'site-key': siteKey,
    };
    const options = { keepAlive: true, maxSockets: requests, ...tls };
    const agent = isTls ? new HttpsAgent(options) : new HttpAgent(options);
    const read = async (): Promise<never> => {
      for (;;) {
        const call = request(`${proxyUrl}/api/v1/metrics`, { agent, headers }).end();
        const [answer] = (await once(call, 'response')) as [IncomingMessage];
        if (answer.statusCode !== 200) throw new Error(`a read is answered ${answer.statusCode}`);
        await once(answer.resume(), 'end');
      }
    };
    for (let count = 0; count < requests; count++) void read();
    const url = `${proxyUrl.replace('http', 'ws')}/api/websocket`;
    const socket = new WebSocket(url, { headers, ...tls });
    await once(socket, 'open');
  }
  process.send?.('busy');
});
process.once('disconnect', () => process.kill(process.pid));
