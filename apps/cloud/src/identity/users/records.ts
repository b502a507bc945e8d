import type { Database } from '../../db/open.ts';

/** The fields of an account that its person chooses. */
export interface Profile {
  readonly first_name: string;
  readonly last_name: string;
  readonly phone_number: string | null;
}

/** @returns the profile, locked; undefined for an account that is gone */
export function lockProfile(tx: Database, userId: number): Promise<Profile | undefined> {
  return tx
    .selectFrom('users')
    .select(['first_name', 'last_name', 'phone_number'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
