import { personName } from '@heliograph/kit/person-name';
import { printable } from '@heliograph/kit/terminal';
import {
  type AmbiguousAccount,
  findAccount,
  type ListedAccount,
} from '../../../identity/accounts/listed-accounts.ts';
import { CommandFailed } from '../command.ts';
import { type Columns, listing, minuteOf, record } from '../layout.ts';
import type { AdminPlatform } from '../platform.ts';

/** @throws CommandFailed when the address has no account */
export async function accountOf({ db }: AdminPlatform, email: string): Promise<ListedAccount> {
  const account = await findAccount(db, email);
  if (account === undefined) throw new CommandFailed(`${printable(email)} has no account`);
  return account;
}

/** An account as `--json` prints it: the API's fields of a user, and those for operators alone. */
export function presentAccount(account: ListedAccount) {
  return {
    id: account.id,
    email: account.email,
    first_name: account.firstName,
    last_name: account.lastName,
    phone_number: account.phoneNumber,
    locale: account.locale,
    staff: account.staff,
    confirmed: account.confirmed,
    has_password: account.hasPassword,
    organization_id: account.organizationId,
    works_for: account.employers,
    created_at: account.createdAt.toISOString(),
  };
}

export type PresentedAccount = ReturnType<typeof presentAccount>;

const COLUMNS: Columns<PresentedAccount> = [
  ['ID', ({ id }) => id, 'right'],
  ['EMAIL', ({ email }) => email],
  ['NAME', personName],
  ['STATE', stateOf],
  ['STAFF', ({ staff }) => staff],
  ['CUSTOMER OF', (account) => account.organization_id],
  ['WORKS FOR', worksFor],
];

export function accountTable(accounts: readonly ListedAccount[]) {
  return listing(accounts.map(presentAccount), COLUMNS, 'users');
}

export function ambiguousTable(accounts: readonly AmbiguousAccount[]) {
  const presented = accounts.map(({ account, sameAs }) => ({ ...presentAccount(account), same_as: sameAs }));
  const columns: Columns<(typeof presented)[number]> = [
    ['ID', ({ id }) => id, 'right'],
    ['EMAIL', ({ email }) => email],
    ['NAME', personName],
    ['STATE', stateOf],
    ['SAME ADDRESS AS', ({ same_as: other }) => (other === null ? null : `${other.email} (${other.id})`)],
    ['WORKS FOR', worksFor],
  ];
  return listing(presented, columns, 'accounts whose address has two meanings');
}

/** @param more fields that only this answer has, such as a new password */
export function accountRecord(account: ListedAccount, more: Readonly<Record<string, string>> = {}) {
  const presented = presentAccount(account);
  return record(
    { ...presented, ...more },
    {
      id: presented.id,
      email: presented.email,
      name: personName(presented),
      phone: presented.phone_number,
      locale: presented.locale,
      state: stateOf(presented),
      staff: presented.staff,
      'customer of': presented.organization_id,
      'works for': worksFor(presented),
      created: minuteOf(presented.created_at),
      ...more,
    },
  );
}

function stateOf({ confirmed, has_password: hasPassword }: PresentedAccount): string {
  if (!hasPassword) return 'invited';
  return confirmed ? 'confirmed' : 'unconfirmed';
}

function worksFor({ works_for: employers }: PresentedAccount): string {
  return employers.map(({ id, name, role }) => `${name} (${id}, ${role})`).join(', ');
}
