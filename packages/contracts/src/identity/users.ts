import { type Static, Type } from 'typebox';
import { ANY_TOKEN, NoContent, operations } from '../common/operation.ts';
import { ListQuery } from '../common/page.ts';
import { nullable, PersonName, PhoneNumber } from '../common/schemas.ts';
import { LOCALES } from '../text/locales.ts';

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

/** A client that is not known is refused with a message for its field, not as unreadable. */
export const IdTokenBody = Type.Object({
  client_id: Type.String({
    maxLength: 255,
    description: 'The application that is to learn who is signed in',
  }),
  nonce: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'Any text, which the id_token repeats: it ties the token to the request',
  }),
});
export type IdTokenBody = Static<typeof IdTokenBody>;

export const IdTokenAnswer = Type.Object({
  id_token: Type.String({ description: 'A JWT, signed with RS512' }),
  expires_in: Type.Integer({ description: 'For how long it is good, in seconds' }),
});
export type IdTokenAnswer = Static<typeof IdTokenAnswer>;

export const userOperations = operations('users', {
  getCurrentUser: {
    route: 'GET /api/v1/user',
    summary: 'Shows the account of the token',
    requires: ANY_TOKEN,
    takesMcpTokens: true,
    answers: { 200: User },
  },

  updateCurrentUser: {
    route: 'PATCH /api/v1/user',
    summary: 'Changes the language of the account',
    requires: ANY_TOKEN,
    takesMcpTokens: true,
    body: UpdateUserBody,
    answers: { 200: User },
    refusals: [422],
  },

  updateProfile: {
    route: 'PATCH /api/v1/user/profile',
    summary: 'Changes the name and the phone number of the account',
    description:
      'Fields that are left out stay as they are. An empty name is none, and the email address is shown in its place; an empty phone number is null.',
    requires: 'session',
    body: UpdateProfileBody,
    invalidFields: 422,
    answers: { 200: User },
  },

  joinOrganization: {
    route: 'POST /api/v1/user/organizations',
    summary: 'Makes the account a customer of an organization, besides those that it belongs to',
    description:
      'The consent of the person: employees of the organization then see the name, the email address and the phone number of the account, and it may sign in to the organization. Sites stay with the organizations that they have. A repetition changes nothing.',
    requires: 'session',
    body: JoinOrganizationBody,
    invalidFields: 422,
    answers: { 200: JoinedOrganization },
  },

  listJoinedOrganizations: {
    route: 'GET /api/v1/user/organizations',
    summary: 'Lists the organizations that the account became a customer of by its consent',
    description:
      'In the order in which it did. Not the one with which it registered or to which it was invited.',
    requires: 'session',
    answers: { 200: Type.Array(JoinedOrganization) },
  },

  leaveOrganization: {
    route: 'DELETE /api/v1/user/organizations/{id}',
    summary: 'Withdraws the consent with which the account became a customer of an organization',
    description:
      'Unless the account works for the organization or has a role on one of its sites, its sessions and tokens of the organization end. Sites stay with the organizations that they have.',
    requires: 'session',
    params: JoinedOrganizationParams,
    answers: { 204: NoContent },
    refusals: [404],
  },
});

export const directoryOperations = operations('users', {
  listUsers: {
    route: 'GET /api/v1/users',
    summary: 'Lists the accounts that the caller sees, the newest first',
    requires: ['users:read_all'],
    query: UserListQuery,
    answers: { 200: Type.Array(User) },
  },

  createIdToken: {
    route: 'POST /api/v1/id_token',
    summary: 'Exchanges a session for an id_token for an application',
    description:
      'A JWT that tells an application of an organization who is signed in, and that its server or database verifies by itself with the keys at `/oauth/certs`. Its `nonce` is that of the request, `auth_time` when the session was opened.',
    requires: 'session',
    body: IdTokenBody,
    answers: { 200: IdTokenAnswer },
    refusals: [422],
  },
});
