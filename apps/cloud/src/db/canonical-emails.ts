import { canonicalEmail, emailForm } from '@heliograph/contracts/email-address';
import { CompiledQuery } from 'kysely';
import { isUniqueViolation } from './failures.ts';
import type { Database } from './open.ts';

/** A connection of `pg`, or `queriesOf` a database. */
interface Queries {
  query<Row extends object>(text: string, values: unknown[]): Promise<{ readonly rows: Row[] }>;
}

export function queriesOf(db: Database): Queries {
  return { query: (text, values) => db.executeQuery(CompiledQuery.raw(text, values)) };
}

/** Accounts that one query reads. */
const BATCH_SIZE = 1_000;

/** The condition of the index users_other_addresses: addresses that may lack their canonical form. */
const MAY_LACK_FORM = `(octet_length(email) <> char_length(email) or email like '%.'
  or translate(email, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '') <> email)`;

/** An account whose address is stored in another spelling than the canonical one. */
export interface OtherAddress {
  readonly id: number;
  readonly email: string;
  /** Undefined for an ambiguous address. */
  readonly canonical: string | undefined;
}

/**
 * Gives the addresses of accounts their canonical form, where no other account has it: those of rows that a release before it
 * wrote. An address without one gets the form by which it is found. Of several accounts a confirmed one gets it, of these one
 * with a canonical form, of these the oldest; the others keep their spelling.
 */
export async function canonicalizeEmails(db: Queries): Promise<void> {
  const refused = new Set<string>();
  for (const confirmed of [true, false]) {
    for (const formOf of [canonicalEmail, emailForm]) {
      for await (const batch of otherAddresses(db, confirmed, formOf)) {
        // A form that a confirmed account could not get, as an index of the release before refuses it, is not for another.
        const accounts = batch.filter(
          ({ canonical }) => canonical !== undefined && (confirmed || !refused.has(canonical)),
        );
        const rewritten = await rewriteAll(db, accounts);
        for (const { id, canonical } of confirmed ? accounts : [])
          if (canonical !== undefined && !rewritten.has(id)) refused.add(canonical);
      }
    }
  }
}

/** The accounts that keep another spelling than the canonical one, by id. */
export async function ambiguousAccounts(db: Queries): Promise<readonly OtherAddress[]> {
  const found: OtherAddress[] = [];
  for (const confirmed of [true, false])
    for await (const batch of otherAddresses(db, confirmed, emailForm)) found.push(...batch);
  return found.toSorted((one, other) => one.id - other.id);
}

async function* otherAddresses(
  db: Queries,
  confirmed: boolean,
  formOf: (email: string) => string | undefined,
): AsyncGenerator<readonly OtherAddress[]> {
  let last = 0;
  for (;;) {
    const { rows } = await db.query<{ id: number; email: string }>(
      `select id, email from users where id > $1 and ${MAY_LACK_FORM} and (confirmed_at is not null) = $2
        order by id limit ${BATCH_SIZE}`,
      [last, confirmed],
    );
    const accounts = rows.map(({ id, email }) => ({ id, email, canonical: formOf(email) }));
    const others = accounts.filter(({ email, canonical }) => email !== canonical);
    if (others.length > 0) yield others;
    if (rows.length < BATCH_SIZE) return;
    last = rows.at(-1)?.id ?? last;
  }
}

/** @param accounts in the order in which they get a form @returns the ids of those that got it */
async function rewriteAll(db: Queries, accounts: readonly OtherAddress[]): Promise<ReadonlySet<number>> {
  const firstByForm = new Map(accounts.toReversed().map((account) => [account.canonical, account]));
  const together = await rewriteFree(db, [...firstByForm.values()]);
  if (together !== undefined) return new Set(together);
  const rewritten = new Set<number>();
  for (const account of accounts)
    for (const id of (await rewriteFree(db, [account])) ?? []) rewritten.add(id);
  return rewritten;
}

/** @returns the ids of rewritten accounts; undefined where an index of the release before refuses one, and none is rewritten */
async function rewriteFree(
  db: Queries,
  accounts: readonly OtherAddress[],
): Promise<readonly number[] | undefined> {
  try {
    const { rows } = await db.query<{ id: number }>(
      `update users set email = given.canonical
        from unnest($1::integer[], $2::text[], $3::text[]) as given (id, email, canonical)
        where users.id = given.id and users.email = given.email
        and not exists (select from users as holders where holders.email = given.canonical)
        returning users.id`,
      [
        accounts.map(({ id }) => id),
        accounts.map(({ email }) => email),
        accounts.map(({ canonical }) => canonical),
      ],
    );
    return rows.map(({ id }) => id);
  } catch (error) {
    if (isUniqueViolation(error, 'users_email') || isUniqueViolation(error, 'users_address'))
      return undefined;
    throw error;
  }
}
