import { Forbidden } from '@heliograph/kit';
import type { FastifyRequest } from 'fastify';
import { originOf } from './origin.ts';
import { cannotBeRebound, isOwnPage } from './own-page.ts';

/**
 * Lets a request pass that comes from the network of the home, and from no page but this device's own.
 *
 * @throws Forbidden
 */
export async function requireOwnPage({ raw, headers }: FastifyRequest): Promise<void> {
  if (originOf(raw).via === 'proxy') throw new Forbidden(LAN_ONLY);
  if (!cannotBeRebound(headers.host ?? '')) throw new Forbidden(OTHER_NAME);
  if (!isOwnPage(headers)) throw new Forbidden('Only pages of this device may do this');
}

const LAN_ONLY = 'This is for the network that the device is on';
const OTHER_NAME = 'Open this device by its IP address, or by its name on the local network';
