import { canonicalEmail } from '@heliograph/contracts/email-address';
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
 * wrote. Of several accounts a confirmed one gets it, of these the oldest; the others keep their spelling.
 */
export async function canonicalizeEmails(db: Queries): Promise<void> {
  for (const confirmed of [true, false]) {
    for await (const batch of otherAddresses(db, confirmed)) {
      const byForm = new Map(batch.toReversed().map((account) => [account.canonical, account]));
      byForm.delete(undefined);
      const accounts = [...byForm.values()];
      await rewrite(db, accounts).catch(async (error: unknown) => {
        if (!isUniqueViolation(error, 'users_email') && !isUniqueViolation(error, 'users_address'))
          throw error;
        for (const account of accounts) await rewriteUnlessTaken(db, account);
      });
    }
  }
}

/** The accounts that keep another spelling than the canonical one, by id. */
export async function ambiguousAccounts(db: Queries): Promise<readonly OtherAddress[]> {
  const found: OtherAddress[] = [];
  for (const confirmed of [true, false])
    for await (const batch of otherAddresses(db, confirmed)) found.push(...batch);
  return found.toSorted((one, other) => one.id - other.id);
}

async function* otherAddresses(db: Queries, confirmed: boolean): AsyncGenerator<readonly OtherAddress[]> {
  let last = 0;
  for (;;) {
    const { rows } = await db.query<{ id: number; email: string }>(
      `select id, email from users where id > $1 and ${MAY_LACK_FORM} and (confirmed_at is not null) = $2
        order by id limit ${BATCH_SIZE}`,
      [last, confirmed],
    );
    const accounts = rows.map(({ id, email }) => ({ id, email, canonical: canonicalEmail(email) }));
    const others = accounts.filter(({ email, canonical }) => email !== canonical);
    if (others.length > 0) yield others;
    if (rows.length < BATCH_SIZE) return;
    last = rows.at(-1)?.id ?? last;
  }
}

async function rewrite(db: Queries, accounts: readonly OtherAddress[]): Promise<void> {
  await db.query(
    `update users set email = given.canonical
      from unnest($1::integer[], $2::text[], $3::text[]) as given (id, email, canonical)
      where users.id = given.id and users.email = given.email
      and not exists (select from users as holders where holders.email = given.canonical)`,
    [
      accounts.map(({ id }) => id),
      accounts.map(({ email }) => email),
      accounts.map(({ canonical }) => canonical),
    ],
  );
}

async function rewriteUnlessTaken(db: Queries, account: OtherAddress): Promise<void> {
  await rewrite(db, [account]).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'users_email') && !isUniqueViolation(error, 'users_address')) throw error;
  });
}
