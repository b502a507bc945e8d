export type { TunnelHandler } from '../api/tunnel-handler.ts';
export { dialTunnel } from './dial.ts';
export { TunnelServer } from './tunnel-server.ts';
