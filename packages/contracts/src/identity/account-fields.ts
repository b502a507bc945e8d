import { Type } from 'typebox';

export const Email = Type.String({ maxLength: 320 });
export const NewPassword = Type.String({
  maxLength: 1024,
  description:
    'At least 8 characters, among them a lower case letter, an upper case letter, and a digit or punctuation',
});
export const VerificationToken = Type.String({
  maxLength: 4096,
  description: 'What the page /register/verify posts when the check is passed; good once, for a few minutes',
});

/** The next step of a client for an account whose email address is not confirmed. */
export const NextStep = Type.Literal('click_email_link');
export const PendingToken = Type.String({
  description: 'Signs in once the link in the email is clicked, within 10 minutes; good once',
});
