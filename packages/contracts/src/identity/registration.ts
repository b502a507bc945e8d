import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { EmailAddress, nullable, PersonName, PhoneNumber } from '../common/schemas.ts';
import { LOCALES } from '../text/locales.ts';
import { NewPassword, NextStep, PendingToken, VerificationToken } from './account-fields.ts';
import { Session } from './sign-in.ts';
import { OrganizationChoice } from './tokens.ts';

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

export const registrationOperations = operations('accounts', {
  register: {
    route: 'POST /api/v1/register',
    summary: 'Make an account as a customer of an organization',
    requires: 'nothing',
    body: RegisterBody,
    invalidFields: 422,
    answers: { 201: RegisterAnswer },
    refusals: [429],
  },

  confirmUser: {
    route: 'POST /api/v1/user/confirm',
    summary: 'Confirm an email address with the token from its email',
    requires: 'nothing',
    body: ConfirmUserBody,
    answers: { 200: Session },
    refusals: [412, 422],
  },
});
