import { NotFound } from '@heliograph/kit';
import { expectArguments, parseArguments, UsageError } from '@heliograph/kit/terminal';
import { consoleCaller, OPERATOR } from '../../../access/caller.ts';
import {
  replaceEmail,
  replacePassword,
  setStaff,
  vouchForEmail,
} from '../../../identity/accounts/administration.ts';
import { listAccounts, listAmbiguous } from '../../../identity/accounts/listed-accounts.ts';
import { resetSecondFactor } from '../../../identity/second-factor/administration.ts';
import { listUsers } from '../../../identity/users/list-users.ts';
import { updateProfile } from '../../../identity/users/own-account.ts';
import {
  cancelAccountDeletion,
  getAccountDeletion,
  requestAccountDeletion,
} from '../../../privacy/account-deletion/requests.ts';
import {
  emailOf,
  newEmailOf,
  onlyEmail,
  optionalName,
  PAGE_HELP,
  PAGE_OPTIONS,
  pageOf,
} from '../arguments.ts';
import { type AdminCommand, CommandFailed } from '../command.ts';
import { newPassword } from '../password.ts';
import { accountOf, accountRecord, accountTable, ambiguousTable } from './accounts.ts';
import { createUser } from './create-user.ts';

const list: AdminCommand = {
  name: 'users list',
  usage: '[QUERY...]',
  summary: 'list accounts, the newest first',
  help: `QUERY is words from the id, the name, the email address or the phone number.

${PAGE_HELP}`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, PAGE_OPTIONS);
    const page = pageOf(values);
    const platform = await context.openPlatform();
    const found = await listUsers(platform, consoleCaller(), {
      query: { ...page, q: positionals.join(' ') },
    });
    return accountTable(
      await listAccounts(
        platform.db,
        found.map(({ id }) => id),
      ),
    );
  },
};

const show: AdminCommand = {
  name: 'users show',
  usage: 'EMAIL',
  summary: 'show an account',
  async run(args, context) {
    const email = onlyEmail(parseArguments(args, {}).positionals);
    return accountRecord(await accountOf(await context.openPlatform(), email));
  },
};

const doubles: AdminCommand = {
  name: 'users doubles',
  usage: '',
  summary: 'list accounts whose address is one with that of another account, or has two meanings',
  help: `Only the exact spelling of such an address leads to its account; any other spelling leads to the account with the
canonical address. Accounts of releases that compared addresses otherwise may be such ones: ask their people which account
they use, then delete the other one, or change its address with "users email".`,
  async run(args, context) {
    expectArguments(parseArguments(args, {}).positionals, []);
    const platform = await context.openPlatform();
    return ambiguousTable(await listAmbiguous(platform.db));
  },
};

const rename: AdminCommand = {
  name: 'users rename',
  usage: 'EMAIL [--first-name NAME] [--last-name NAME]',
  summary: 'change the name of a person',
  help: `A name that is left out stays as it is; '' removes it. A person without any is shown by email.

  --first-name NAME, --last-name NAME`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, {
      'first-name': { type: 'string' },
      'last-name': { type: 'string' },
    });
    const email = onlyEmail(positionals);
    const firstName = optionalName('--first-name', values['first-name']);
    const lastName = optionalName('--last-name', values['last-name']);
    const names = {
      ...(firstName !== undefined && { first_name: firstName }),
      ...(lastName !== undefined && { last_name: lastName }),
    };
    if (Object.keys(names).length === 0) throw new UsageError('There is nothing to change');
    const platform = await context.openPlatform();
    const before = await accountOf(platform, email);
    await updateProfile(platform, consoleCaller(before.id), { body: names });
    const after = await accountOf(platform, email);
    const changed = after.firstName !== before.firstName || after.lastName !== before.lastName;
    return { ...accountRecord(after), note: changed ? undefined : 'It had this name already' };
  },
};

const email: AdminCommand = {
  name: 'users email',
  usage: 'EMAIL NEW_EMAIL',
  summary: 'change the email address of an account',
  help: `The new address is in force at once: make sure that it is the person's. The former one is mailed. Sessions and tokens
stay; links that were mailed before end, and so does a change that the person has requested. An invited person who has no
password yet gets a new invitation at the new address, and the former one is not mailed.`,
  async run(args, context) {
    const { positionals } = parseArguments(args, {});
    expectArguments(positionals, ['email', 'new email']);
    const [present, wanted] = [emailOf(positionals[0]), newEmailOf(positionals[1])];
    const platform = await context.openPlatform();
    const { id } = await accountOf(platform, present);
    const changed = await replaceEmail(platform, OPERATOR, id, wanted);
    const note = changed ? undefined : 'It had this address already';
    return { ...accountRecord(await accountOf(platform, wanted)), note };
  },
};

const staff: AdminCommand = {
  name: 'users staff',
  usage: 'EMAIL --on|--off',
  summary: 'make an account an operator of the service, or take that away',
  help: `Operators see every account, site and device, and may change all of them.

  --on   make it an operator
  --off  make it an ordinary account`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, {
      on: { type: 'boolean', default: false },
      off: { type: 'boolean', default: false },
    });
    const email = onlyEmail(positionals);
    if (values.on === values.off) throw new UsageError('Either --on or --off is needed');
    const platform = await context.openPlatform();
    const { id } = await accountOf(platform, email);
    const changed = await setStaff(platform, OPERATOR, id, values.on);
    const note = changed ? undefined : `It was ${values.on ? 'an operator' : 'none'} already`;
    return { ...accountRecord(await accountOf(platform, email)), note };
  },
};

const confirm: AdminCommand = {
  name: 'users confirm',
  usage: 'EMAIL',
  summary: 'vouch for the address of an account, as the link in the mail does',
  async run(args, context) {
    const email = onlyEmail(parseArguments(args, {}).positionals);
    const platform = await context.openPlatform();
    const { id } = await accountOf(platform, email);
    const changed = await vouchForEmail(platform, OPERATOR, id);
    const note = changed ? undefined : 'It was confirmed already';
    return { ...accountRecord(await accountOf(platform, email)), note };
  },
};

const password: AdminCommand = {
  name: 'users password',
  usage: 'EMAIL [--password-stdin]',
  summary: 'set a new password, and end every session of the account',
  help: `Without --password-stdin a password is made and printed, this once.

  --password-stdin  read it from standard input`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, {
      'password-stdin': { type: 'boolean', default: false },
    });
    const email = onlyEmail(positionals);
    const chosen = values['password-stdin'] ? await context.readPassword() : undefined;
    const platform = await context.openPlatform();
    const { id } = await accountOf(platform, email);
    const made = newPassword();
    await replacePassword(platform, OPERATOR, id, chosen ?? made);
    return accountRecord(await accountOf(platform, email), chosen === undefined ? { password: made } : {});
  },
};

const resetFactors: AdminCommand = {
  name: 'users reset-second-factor',
  usage: 'EMAIL',
  summary: 'remove every second factor of an account, and end its sessions',
  help: `For a person who lost the authenticator and the recovery codes. Verify who requests it by another way than email:
until a second factor is set up again, the password alone signs in. The account is mailed.`,
  async run(args, context) {
    const email = onlyEmail(parseArguments(args, {}).positionals);
    const platform = await context.openPlatform();
    const { id } = await accountOf(platform, email);
    const changed = await resetSecondFactor(platform, OPERATOR, id);
    const note = changed ? undefined : 'It had none';
    return { ...accountRecord(await accountOf(platform, email)), note };
  },
};

const remove: AdminCommand = {
  name: 'users delete',
  usage: 'EMAIL [--cancel]',
  summary: 'delete an account, seven days from now',
  help: `Its sessions, tokens and connections end immediately, and the person is mailed; until then they can sign in and keep
the account. An account that owns sites, is the only owner of an organization or has open orders gives these away first:
see "sites transfer", "organizations add" and "orders cancel".

  --cancel  keep the account after all`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, { cancel: { type: 'boolean', default: false } });
    const email = onlyEmail(positionals);
    const platform = await context.openPlatform();
    const account = await accountOf(platform, email);
    const caller = consoleCaller(account.id);
    if (values.cancel) {
      await cancelAccountDeletion(platform, caller).catch((error: unknown) => {
        throw error instanceof NotFound ? new CommandFailed(`${account.email} is not to be deleted`) : error;
      });
      return accountRecord(account, { deletion: 'cancelled' });
    }
    const before = await getAccountDeletion(platform, caller);
    const { due_at: due } = await requestAccountDeletion(platform, caller);
    const note = before.due_at === null ? undefined : 'It was to be deleted already';
    return { ...accountRecord(account, { deletion_due_at: due ?? '' }), note };
  },
};

export const userCommands: readonly AdminCommand[] = [
  createUser,
  list,
  show,
  doubles,
  rename,
  email,
  staff,
  confirm,
  password,
  resetFactors,
  remove,
];
