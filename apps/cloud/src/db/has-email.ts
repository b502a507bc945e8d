import { emailForm } from '@heliograph/contracts/email-address';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * The account of an email address in any spelling, as a condition on `users`. An account whose address is stored in another
 * spelling than the canonical one is found by exactly that: another account has its canonical form, or there is none.
 */
export function hasEmail(typed: string): RawBuilder<SqlBool> {
  const exact = typed.trim();
  const form = emailForm(typed);
  if (form === undefined || form === exact) return sql`users.email = ${exact}`;
  return sql`users.id = coalesce(${idOf(exact)}, ${idOf(form)})`;
}

function idOf(email: string): RawBuilder<number> {
  return sql`(select one.id from users as one where one.email = ${email})`;
}
