export type { TunnelHandler } from '../../serve/api/tunnel-handler.ts';
export { dialTunnel } from './dial.ts';
export { TunnelServing } from './tunnel.ts';
