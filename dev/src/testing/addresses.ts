import { networkInterfaces } from 'node:os';

/** Whether this machine has IPv6. */
export const HAS_IPV6 = Object.values(networkInterfaces())
  .flat()
  .some((address) => address?.family === 'IPv6');

/** Listens on every address of this machine, of both versions of IP where it has them. */
export const EVERY_ADDRESS = HAS_IPV6 ? '::' : '0.0.0.0';
