import { NotFound } from '@heliograph/kit';
import { expectArguments, parseArguments, printable, UsageError } from '@heliograph/kit/terminal';
import { OPERATOR } from '../../../access/caller.ts';
import { type ListedKey, listKeys, revokeKey, rotateKeys } from '../../../signing-keys/rotation.ts';
import { KEY_PURPOSES } from '../../../signing-keys/schedule.ts';
import { type AdminCommand, CommandFailed } from '../command.ts';
import { type Columns, listing, minuteOf, record } from '../layout.ts';

const list: AdminCommand = {
  name: 'keys list',
  usage: '',
  summary: 'list the keys that are published, by what they sign, in the order in which they sign it',
  async run(args, context) {
    const { positionals } = parseArguments(args, {});
    expectArguments(positionals, []);
    const platform = await context.openPlatform();
    return listing((await listKeys(platform)).map(presentKey), COLUMNS, 'keys');
  },
};

const rotate: AdminCommand = {
  name: 'keys rotate',
  usage: KEY_PURPOSES.join('|'),
  summary: 'let the next key sign; what the one before signed stays good until it expires',
  help: `"sites" is for the keys that proxies and devices check tokens with, "identity" for those of id_tokens, which
applications check.

The next key is published ahead of its time. It signs at once if that was a day ago, and else as soon as it is.
`,
  async run(args, context) {
    const { positionals } = parseArguments(args, {});
    expectArguments(positionals, ['purpose']);
    const purpose = KEY_PURPOSES.find((each) => each === positionals[0]);
    if (purpose === undefined) throw new UsageError(`The purpose is ${KEY_PURPOSES.join(' or ')}`);
    const platform = await context.openPlatform();
    return keyRecord(await rotateKeys(platform, OPERATOR, purpose));
  },
};

const revoke: AdminCommand = {
  name: 'keys revoke',
  usage: 'KID',
  summary: 'withdraw a leaked key: whatever it signed is refused within ten seconds',
  help: `Everybody whose site token it signed has to ask for another one, which clients do by themselves. Applications keep
the keys of id_tokens for a while, mostly some minutes. Was it the key that signs, the next one does from now on.
`,
  async run(args, context) {
    // The name of a key may begin like an option.
    const { positionals } = parseArguments(['--', ...args], {});
    expectArguments(positionals, ['kid']);
    const [kid = ''] = positionals;
    const platform = await context.openPlatform();
    await revokeKey(platform, OPERATOR, kid).catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
      throw new CommandFailed(`There is no key ${printable(kid)}`);
    });
    return record({ kid, revoked: true }, { key: kid, revoked: true });
  },
};

type PresentedKey = ReturnType<typeof presentKey>;

const COLUMNS: Columns<PresentedKey> = [
  ['KEY', ({ kid }) => kid],
  ['PURPOSE', ({ purpose }) => purpose],
  ['STATE', ({ state }) => state],
  ['CREATED', (key) => minuteOf(key.created_at)],
  ['SIGNS FROM', (key) => minuteOf(key.signs_from)],
  ['PUBLISHED UNTIL', (key) => minuteOf(key.published_until)],
];

function presentKey({ kid, purpose, state, createdAt, signsFrom, publishedUntil }: ListedKey) {
  return {
    kid,
    purpose,
    state,
    created_at: createdAt.toISOString(),
    signs_from: signsFrom?.toISOString() ?? null,
    published_until: publishedUntil?.toISOString() ?? null,
  };
}

function keyRecord(key: ListedKey) {
  const presented = presentKey(key);
  return record(presented, {
    key: presented.kid,
    purpose: presented.purpose,
    state: presented.state,
    'signs from': minuteOf(presented.signs_from),
  });
}

export const keyCommands: readonly AdminCommand[] = [list, rotate, revoke];
