import type { User } from '@heliograph/contracts';
import { truncate, truncateOrNull } from '@heliograph/kit';
import { personName } from '@heliograph/kit/person-name';
import type { Tool } from '@heliograph/mcp';
import { type Static, Type } from 'typebox';
import type { Caller } from '../../access/caller.ts';
import { listUsers as selectUsers } from '../../identity/users/list-users.ts';
import type { Platform } from '../../platform.ts';
import { DEFAULT_ROWS, MAX_ROWS, nextOffset, pageArguments } from './pages.ts';

const Input = Type.Object(
  {
    search: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'Words of which each must begin a word of the id, name, email address or phone number; everybody when left out',
      }),
    ),
    ...pageArguments,
  },
  { additionalProperties: false },
);

const FoundUser = Type.Object({
  id: Type.Integer(),
  name: Type.String({ description: 'The email address where no name is known' }),
  email: Type.String(),
  phone_number: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Null: not known' }),
  locale: Type.String({ description: 'Language, such as en or zh_CN' }),
});

const Output = Type.Object({
  users: Type.Array(FoundUser, { maxItems: MAX_ROWS }),
  next_offset: nextOffset,
});

/** The directory. */
export function listUsers(platform: Platform): Tool<Caller, typeof Input, typeof Output> {
  return {
    name: 'list_users',
    title: 'People',
    description:
      'The accounts that this account sees, the newest first: for an employee of an installer its customers and ' +
      'colleagues, for a home owner only the own account. Answers name, email address, phone number and language. For ' +
      `who may see one site call list_members. ${DEFAULT_ROWS} a page unless limit says otherwise; where next_offset is ` +
      'not null, the same call with offset set to it gives the next page.',
    input: Input,
    output: Output,
    isFor: ({ scopes }) => scopes.has('users:read_all'),
    async run({ search = '', limit = DEFAULT_ROWS, offset = 0 }, caller) {
      // One row more shows whether there is a next page.
      const found = await selectUsers(platform, caller, { query: { q: search, limit: limit + 1, offset } });
      return {
        users: found.slice(0, limit).map(presentUser),
        next_offset: found.length > limit ? offset + limit : null,
      };
    },
  };
}

function presentUser(user: User): Static<typeof FoundUser> {
  return {
    id: user.id,
    name: truncate(personName(user)),
    email: truncate(user.email),
    phone_number: truncateOrNull(user.phone_number),
    locale: user.locale,
  };
}
