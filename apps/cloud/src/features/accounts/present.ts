import type { Session } from '@heliograph/contracts';
import { type OrganizationName, presentUser, type UserRecord } from '../users/present.ts';

export function presentSession(
  token: string,
  expiresAtMs: number,
  user: UserRecord,
  organization: OrganizationName | null,
): Session {
  return { token, expires_at: new Date(expiresAtMs).toISOString(), user: presentUser(user, organization) };
}
