export type { TunnelHandler } from '../api/tunnel-handler.ts';
export { dialTunnel } from './dial.ts';
export { TunnelServing } from './tunnel.ts';
