import { type Static, Type } from 'typebox';
import { DateTime, EmailAddress, nullable, PersonName, PhoneNumber } from './common.ts';
import { LOCALES } from './locales.ts';
import { OneTimePassword } from './second-factor.ts';
import { User } from './users.ts';

/** An organization's id, or `none` for a token that belongs to no organization. */
export const OrganizationChoice = Type.Union([Type.Integer(), Type.Literal('none')], {
  description: 'The id of an organization for a token restricted to it, or `none`',
});
export type OrganizationChoice = Static<typeof OrganizationChoice>;

const Email = Type.String({ maxLength: 320 });
const NewPassword = Type.String({
  maxLength: 1024,
  description:
    'At least 8 characters, among them a lower case letter, an upper case letter, and a digit or punctuation',
});
const VerificationToken = Type.String({
  maxLength: 4096,
  description: 'What the page /register/verify posts when the check is passed; good once, for a few minutes',
});

export const Session = Type.Object({
  token: Type.String({ description: 'Bearer token for all other operations' }),
  expires_at: DateTime,
  user: User,
});
export type Session = Static<typeof Session>;

export const SignInBody = Type.Object(
  {
    email: Type.Optional(Email),
    organization_id: Type.Optional(OrganizationChoice),
    password: Type.Optional(Type.String({ maxLength: 1024 })),
    pending_token: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'In place of the password, while the email address waits for its confirmation, or a second factor for being shown',
      }),
    ),
    otp: Type.Optional(OneTimePassword),
    session_token: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'A session handed over from another page; needs no other field',
      }),
    ),
  },
  {
    description:
      '`email` and `organization_id` with one of `password` and `pending_token`, and `otp` where there is a second factor; or `session_token` alone',
    anyOf: [
      { required: ['email', 'organization_id', 'password'] },
      { required: ['email', 'organization_id', 'pending_token'] },
      { required: ['session_token'] },
    ],
  },
);
export type SignInBody = Static<typeof SignInBody>;

/** The next step of a client for an account whose email address is not confirmed. */
const NextStep = Type.Literal('click_email_link');
const PendingToken = Type.String({
  description: 'Signs in once the link in the email is clicked, within 10 minutes; good once',
});

export const UnconfirmedAnswer = Type.Object({
  error: Type.String(),
  next_step: NextStep,
  pending_token: PendingToken,
});
export type UnconfirmedAnswer = Static<typeof UnconfirmedAnswer>;

export const RegisterBody = Type.Object({
  email: EmailAddress,
  password: NewPassword,
  verification_token: VerificationToken,
  organization_id: Type.Integer({ description: 'The organization whose customer the account becomes' }),
  first_name: Type.Optional(nullable(PersonName)),
  last_name: Type.Optional(nullable(PersonName)),
  phone_number: Type.Optional(nullable(PhoneNumber)),
  accepted_terms: Type.Optional(
    Type.Boolean({ description: 'Whether the terms were accepted; not asked when left out' }),
  ),
  locale: Type.Optional(Type.Enum([...LOCALES], { description: 'Language of web pages and emails' })),
});
export type RegisterBody = Static<typeof RegisterBody>;

export const RegisterAnswer = Type.Object({
  next_step: NextStep,
  pending_token: PendingToken,
  user: Type.Object({ email: Type.String() }),
});
export type RegisterAnswer = Static<typeof RegisterAnswer>;

const ConfirmationToken = Type.String({
  maxLength: 200,
  description: 'From the link in the confirmation email',
});

export const ConfirmUserBody = Type.Object({ token: ConfirmationToken, organization_id: OrganizationChoice });
/** For a service that lets the organization be left out, which then is the one that the email was sent for. */
export const LenientConfirmUserBody = Type.Object({
  token: ConfirmationToken,
  organization_id: Type.Optional(OrganizationChoice),
});
export type ConfirmUserBody = Static<typeof LenientConfirmUserBody>;

/** The address of an account, and one that is to take its place. */
export const AccountEmail = Type.Object({
  email: Type.String(),
  pending: nullable(
    Type.Object({
      email: Type.String({
        description: 'Takes the place of the address once the link mailed there is opened',
      }),
      expires_at: DateTime,
    }),
  ),
});
export type AccountEmail = Static<typeof AccountEmail>;

export const RequestEmailChangeBody = Type.Object(
  {
    email: EmailAddress,
    password: Type.String({ maxLength: 1024, description: 'The password of the account' }),
  },
  { additionalProperties: false },
);
export type RequestEmailChangeBody = Static<typeof RequestEmailChangeBody>;

export const ConfirmEmailChangeBody = Type.Object({
  token: Type.String({ maxLength: 200, description: 'From the link in the email to the new address' }),
});
export type ConfirmEmailChangeBody = Static<typeof ConfirmEmailChangeBody>;

export const ConfirmedEmail = Type.Object({
  email: Type.String({ description: 'The address of the account from now on' }),
});
export type ConfirmedEmail = Static<typeof ConfirmedEmail>;

export const RequestPasswordResetBody = Type.Object({
  email: Email,
  verification_token: VerificationToken,
  organization_id: Type.Optional(nullable(OrganizationChoice)),
});
export type RequestPasswordResetBody = Static<typeof RequestPasswordResetBody>;

export const Empty = Type.Object({});
export type Empty = Static<typeof Empty>;

export const PasswordLinkParams = Type.Object({
  token: Type.String({ description: 'From the link in the email' }),
});

export const ResetPasswordBody = Type.Object({
  password: NewPassword,
  password_confirmation: Type.Optional(
    Type.String({ maxLength: 1024, description: 'The password once more; left out, it is not compared' }),
  ),
  organization_id: OrganizationChoice,
});
export type ResetPasswordBody = Static<typeof ResetPasswordBody>;

export const SetPasswordBody = Type.Object({
  ...ResetPasswordBody.properties,
  accepted_terms: Type.Optional(
    Type.Boolean({ description: 'Whether the terms were accepted; not asked when left out' }),
  ),
});
export type SetPasswordBody = Static<typeof SetPasswordBody>;

export const SessionTokenAnswer = Type.Object({
  session_token: Type.String({
    description: 'Signs in another page as the same account and organization; good once, for 60 seconds',
  }),
});
export type SessionTokenAnswer = Static<typeof SessionTokenAnswer>;
