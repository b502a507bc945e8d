import type { ClientAddress } from '../client-address/client-address.ts';
import type { ClientRequest, ClientResponse } from '../http/client.ts';
import { knownRefusal } from '../http/refuse.ts';
import type { WebSocketClient } from '../http/web-socket-client.ts';

export const OFFLINE = knownRefusal({
  status: 503,
  error: 'Site is offline',
  headers: { 'retry-after': '5' },
});
/** Answers a relayed request whose site has left this proxy: the other proxy looks the site up again. */
export const NOT_HERE = knownRefusal({ ...OFFLINE });

/** The requests of other proxies for sites whose devices are connected here. */
export interface RelayHandlers {
  request(req: ClientRequest, res: ClientResponse, clientAddress: ClientAddress): void;
  webSocket(client: WebSocketClient, clientAddress: ClientAddress): Promise<void>;
}
