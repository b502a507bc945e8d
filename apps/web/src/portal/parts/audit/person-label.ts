import type { AuditEntry } from '@heliograph/client';

/** Somebody's name with their address, since names are not unique and a record has to be. */
export function personLabel({ name, email }: NonNullable<AuditEntry['user']>): string {
  return name === '' ? email : `${name} (${email})`;
}
