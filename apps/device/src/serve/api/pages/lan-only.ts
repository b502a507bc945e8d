import type { OwnPageRefusal } from '@heliograph/contracts';
import { AppError, Forbidden } from '@heliograph/kit';
import type { FastifyRequest } from 'fastify';
import { originOf } from './origin.ts';
import { cannotBeRebound, isOwnPage } from './own-page.ts';

/** A request that is not one of this device's own pages on its network, with a code for pages that translate it. */
export class OwnPageRefused extends AppError {
  readonly fields: Pick<OwnPageRefusal, 'code'>;

  constructor(message: string, code: NonNullable<OwnPageRefusal['code']>) {
    super(message, { code, status: 403 });
    this.fields = { code };
  }
}

/**
 * Lets a request pass that comes from the network of the home, and from no page but this device's own.
 *
 * @throws Forbidden, OwnPageRefused
 */
export async function requireOwnPage({ raw, headers }: FastifyRequest): Promise<void> {
  if (originOf(raw).via === 'proxy') throw new Forbidden(LAN_ONLY);
  if (!cannotBeRebound(headers.host ?? '')) throw new OwnPageRefused(OTHER_NAME, 'public_name');
  if (!isOwnPage(headers)) throw new OwnPageRefused(FOREIGN_PAGE, 'foreign_page');
}

const LAN_ONLY = 'This is for the network that the device is on';
const OTHER_NAME = 'Open this device by its IP address, or by its name on the local network';
const FOREIGN_PAGE =
  'Only pages of this device may do this. A reverse proxy before it must preserve the Host header';
