import { type Static, Type } from 'typebox';
import { nullable, PersonName, PhoneNumber } from './common.ts';
import { LOCALES } from './locales.ts';
import { ListQuery } from './sites.ts';

export const User = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  phone_number: nullable(Type.String()),
  locale: Type.Enum([...LOCALES], { description: 'Language of web pages and emails' }),
  organization: nullable(
    Type.Object(
      { id: Type.Integer(), name: Type.String() },
      { description: 'The organization that the token is scoped to' },
    ),
  ),
});
export type User = Static<typeof User>;

/** Any text is read here; one that is no locale is refused with a message for its field, not as unreadable. */
export const UpdateUserBody = Type.Object(
  {
    locale: Type.String({
      description: `Language of web pages and emails: ${LOCALES.join(', ')}`,
      examples: ['de'],
    }),
  },
  { additionalProperties: false },
);
export type UpdateUserBody = Static<typeof UpdateUserBody>;

export const JoinOrganizationBody = Type.Object({
  organization_id: Type.Integer({ description: 'The organization whose customer the account becomes' }),
});
export type JoinOrganizationBody = Static<typeof JoinOrganizationBody>;

export const JoinedOrganization = Type.Object({ id: Type.Integer(), name: Type.String() });
export type JoinedOrganization = Static<typeof JoinedOrganization>;

export const JoinedOrganizationParams = Type.Object({ id: Type.Integer() });

/** Omitted fields stay unchanged. */
export const UpdateProfileBody = Type.Object(
  {
    first_name: Type.Optional(PersonName),
    last_name: Type.Optional(PersonName),
    phone_number: Type.Optional(nullable(PhoneNumber)),
  },
  { additionalProperties: false },
);
export type UpdateProfileBody = Static<typeof UpdateProfileBody>;

export const UserListQuery = Type.Object({
  ...ListQuery.properties,
  q: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Words of which each begins a word of the id, name, email address or phone number',
    }),
  ),
});
export type UserListQuery = Static<typeof UserListQuery>;
