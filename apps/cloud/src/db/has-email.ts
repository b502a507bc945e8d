import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** The account of an email address, as a condition on `users`: addresses differ by more than case. */
export function hasEmail(email: string): RawBuilder<SqlBool> {
  return sql`lower(users.email) = lower(${email})`;
}
