import { parseArguments, UsageError } from '@heliograph/kit/terminal';
import { consoleCaller, OPERATOR } from '../../access/caller.ts';
import { onlyEmail, PAGE_HELP, PAGE_OPTIONS, pageOf } from '../arguments.ts';
import type { AdminCommand } from '../command.ts';
import { newPassword } from '../password.ts';
import { accountOf, accountRecord, accountTable } from './accounts.ts';
import { createUser } from './create-user.ts';

const list: AdminCommand = {
  name: 'users list',
  usage: '[QUERY...]',
  summary: 'list accounts, the newest first',
  help: `QUERY is words from the id, the name, the email address or the phone number.

${PAGE_HELP}`,
  async run(args, desk) {
    const { values, positionals } = parseArguments(args, PAGE_OPTIONS);
    const page = pageOf(values);
    const office = await desk.open();
    const found = await office.users.list(consoleCaller(), { ...page, q: positionals.join(' ') });
    return accountTable(await office.accounts.describe(found.map(({ id }) => id)));
  },
};

const show: AdminCommand = {
  name: 'users show',
  usage: 'EMAIL',
  summary: 'show an account',
  async run(args, desk) {
    const email = onlyEmail(parseArguments(args, {}).positionals);
    return accountRecord(await accountOf(await desk.open(), email));
  },
};

const staff: AdminCommand = {
  name: 'users staff',
  usage: 'EMAIL --on|--off',
  summary: 'make an account an operator of the service, or take that away',
  help: `Operators see every account, site and device, and may change all of them.

  --on   make it an operator
  --off  make it an ordinary account`,
  async run(args, desk) {
    const { values, positionals } = parseArguments(args, {
      on: { type: 'boolean', default: false },
      off: { type: 'boolean', default: false },
    });
    const email = onlyEmail(positionals);
    if (values.on === values.off) throw new UsageError('Either --on or --off is needed');
    const office = await desk.open();
    const { id } = await accountOf(office, email);
    const changed = await office.accounts.setStaff(OPERATOR, id, values.on);
    const note = changed ? undefined : `It was ${values.on ? 'an operator' : 'none'} already`;
    return { ...accountRecord(await accountOf(office, email)), note };
  },
};

const confirm: AdminCommand = {
  name: 'users confirm',
  usage: 'EMAIL',
  summary: 'vouch for the address of an account, as the link in the mail does',
  async run(args, desk) {
    const email = onlyEmail(parseArguments(args, {}).positionals);
    const office = await desk.open();
    const { id } = await accountOf(office, email);
    const changed = await office.accounts.confirm(OPERATOR, id);
    const note = changed ? undefined : 'It was confirmed already';
    return { ...accountRecord(await accountOf(office, email)), note };
  },
};

const password: AdminCommand = {
  name: 'users password',
  usage: 'EMAIL [--password-stdin]',
  summary: 'set a new password, and end every session of the account',
  help: `Without --password-stdin a password is made and printed, this once.

  --password-stdin  read it from standard input`,
  async run(args, desk) {
    const { values, positionals } = parseArguments(args, {
      'password-stdin': { type: 'boolean', default: false },
    });
    const email = onlyEmail(positionals);
    const chosen = values['password-stdin'] ? await desk.readPassword() : undefined;
    const office = await desk.open();
    const { id } = await accountOf(office, email);
    const made = newPassword();
    await office.openMail();
    await office.accounts.setPassword(OPERATOR, id, chosen ?? made);
    return accountRecord(await accountOf(office, email), chosen === undefined ? { password: made } : {});
  },
};

const resetSecondFactor: AdminCommand = {
  name: 'users reset-second-factor',
  usage: 'EMAIL',
  summary: 'remove every second factor of an account, and end its sessions',
  help: `For somebody who lost the authenticator and the recovery codes. Make sure by another way than email who asks:
until a second factor is set up again, the password alone signs in. The account is mailed.`,
  async run(args, desk) {
    const email = onlyEmail(parseArguments(args, {}).positionals);
    const office = await desk.open();
    const { id } = await accountOf(office, email);
    await office.openMail();
    const changed = await office.secondFactors.reset(OPERATOR, id);
    const note = changed ? undefined : 'It had none';
    return { ...accountRecord(await accountOf(office, email)), note };
  },
};

export const userCommands: readonly AdminCommand[] = [
  createUser,
  list,
  show,
  staff,
  confirm,
  password,
  resetSecondFactor,
];
