import type { SiteRole } from '@heliograph/contracts';
import { parseArguments, printable, UsageError } from '@heliograph/kit/terminal';
import { consoleCaller, OPERATOR } from '../../../access/caller.ts';
import { createAccount, setStaff } from '../../../identity/accounts/administration.ts';
import { findAccount, listAccounts } from '../../../identity/accounts/listed-accounts.ts';
import { invitedAccount } from '../../../organizations/invitations/invitations.ts';
import { addOrganizationMember } from '../../../organizations/team/employees.ts';
import { onlyEmail, optionalId, required, roleOf } from '../arguments.ts';
import { type AdminCommand, CommandFailed } from '../command.ts';
import { newPassword } from '../password.ts';
import type { AdminPlatform } from '../platform.ts';
import { accountOf, accountRecord } from './accounts.ts';
import { requireOrganization } from './organizations.ts';

const OPTIONS = {
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  phone: { type: 'string' },
  locale: { type: 'string' },
  staff: { type: 'boolean', default: false },
  organization: { type: 'string' },
  role: { type: 'string' },
  'password-stdin': { type: 'boolean', default: false },
  invite: { type: 'boolean', default: false },
} as const;

export const createUser: AdminCommand = {
  name: 'users create',
  usage: 'EMAIL --first-name NAME --last-name NAME [OPTIONS]',
  summary: 'make an account',
  help: `The account can be used at once, with a password that is made and printed, this once.

  --first-name NAME, --last-name NAME
  --password-stdin   read the password from standard input
  --invite           mail a link instead, with which the person sets the first password
  --staff            make it an operator of the service
  --organization ID  the organization that it belongs to: as a customer, or with --role as an employee
  --role ROLE        owner, admin or member of the organization
  --phone NUMBER
  --locale LOCALE    language of pages and mails (default en)`,

  async run(args, context) {
    const { values, positionals } = parseArguments(args, OPTIONS);
    const input = readInput(values, positionals);
    if (values.invite && values['password-stdin']) {
      throw new UsageError('--invite and --password-stdin exclude each other');
    }
    const given = values['password-stdin'] ? await context.readPassword() : undefined;
    const platform = await context.openPlatform();
    if ((await findAccount(platform.db, input.email)) !== undefined) {
      throw new CommandFailed(`${printable(input.email)} has an account already`);
    }
    await requireOrganization(platform, input.organizationId);
    if (values.invite) {
      await invite(platform, input);
      const account = await accountOf(platform, input.email);
      return { ...accountRecord(account), note: 'The cloud mails the invitation as soon as it runs' };
    }
    const password = given ?? newPassword();
    const id = await createAccount(platform, OPERATOR, { ...input, password });
    if (input.role !== undefined) await employ(platform, input.email, input.organizationId, input.role);
    const [account = await accountOf(platform, input.email)] = await listAccounts(platform.db, [id]);
    return accountRecord(account, given === undefined ? { password } : {});
  },
};

interface UserInput {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string | null;
  readonly locale: string | undefined;
  readonly staff: boolean;
  readonly organizationId: number | null;
  readonly role: SiteRole | undefined;
}

type Values = ReturnType<typeof parseArguments<typeof OPTIONS>>['values'];

/** @throws UsageError */
function readInput(values: Values, positionals: readonly string[]): UserInput {
  const email = onlyEmail(positionals);
  const organizationId = optionalId('--organization', values.organization);
  if (values.role !== undefined && organizationId === null) {
    throw new UsageError('--role needs --organization');
  }
  if (values.invite && (values.phone !== undefined || values.locale !== undefined)) {
    throw new UsageError('--phone and --locale are for accounts with a password');
  }
  return {
    email,
    firstName: required('--first-name', values['first-name']),
    lastName: required('--last-name', values['last-name']),
    phoneNumber: values.phone?.trim() || null,
    locale: values.locale,
    staff: values.staff,
    organizationId,
    role: values.role === undefined ? undefined : roleOf(values.role),
  };
}

async function invite(platform: AdminPlatform, input: UserInput): Promise<void> {
  const { email, firstName, lastName, organizationId, role, staff } = input;
  if (role === undefined || organizationId === null) {
    const destination = { organizationId, siteId: null, makesCustomer: true };
    const admission = { mailAllowed: true };
    await platform.db
      .transaction()
      .execute((tx) =>
        invitedAccount(platform, tx, consoleCaller(), { email, firstName, lastName }, destination, admission),
      );
  } else {
    await employ(platform, email, organizationId, role, { first_name: firstName, last_name: lastName });
  }
  if (staff) await setStaff(platform, OPERATOR, (await accountOf(platform, email)).id, true);
}

async function employ(
  platform: AdminPlatform,
  email: string,
  organizationId: number | null,
  role: SiteRole,
  names: { readonly first_name?: string; readonly last_name?: string } = {},
): Promise<void> {
  if (organizationId === null) return;
  await addOrganizationMember(platform, consoleCaller(), {
    params: { id: organizationId },
    body: { email, role, ...names },
  });
}
