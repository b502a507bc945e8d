import { ValidationError } from '@heliograph/kit';
import { isUniqueViolation } from '../../db/failures.ts';
import type { Database } from '../../db/open.ts';
import { isReservedName } from './reserved-names.ts';

/** A hostname label: 1 to 63 letters, digits and hyphens, no hyphen at either end (RFC 1123, 2.1). */
const HOSTNAME_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Continues "name ..." in the error. */
const SITE_NAME_RULE =
  'must be a hostname label: letters, digits and hyphens, at most 63, no hyphen at the ends';

/** The name of a site is also its hostname on the proxy. @param present a site keeps its own. @throws ValidationError */
export function requireSiteName(name: string, present: string | null): void {
  if (!HOSTNAME_LABEL.test(name)) throw new ValidationError({ name: [SITE_NAME_RULE] });
  if (isReservedName(name) && name.toLowerCase() !== present?.toLowerCase())
    throw new ValidationError({ name: ['is reserved for the service, choose another'] });
}

/** Runs a change in a transaction. @throws ValidationError when it names a site as another one in the same region */
export async function withUniqueName<T>(db: Database, change: (tx: Database) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(change);
  } catch (error) {
    if (isUniqueViolation(error, 'sites_hostname')) throw new ValidationError({ name: ['is already taken'] });
    throw error;
  }
}
