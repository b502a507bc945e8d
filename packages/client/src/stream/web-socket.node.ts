import { WebSocket as NodeWebSocket } from 'ws';

/** In place of `web-socket.ts` in the package's build for Node: Node 20 has no WebSocket of its own. */
export function openWebSocket(url: string): WebSocket | NodeWebSocket {
  return new (globalThis.WebSocket ?? NodeWebSocket)(url);
}
