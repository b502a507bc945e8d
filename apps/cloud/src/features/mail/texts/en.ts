import type { MailTexts } from './mail-texts.ts';

export const en: MailTexts = {
  greeting: 'Hello {name},',
  greetingWithoutName: 'Hello,',
  linkHint: 'If the button does not work, open this address in your browser:',
  sentBy: 'This message was sent automatically by {brand}.',
  confirmation: {
    subject: 'Confirm your email address for {brand}',
    text: 'Thank you for registering with {brand}. Please confirm your email address to finish setting up your account.',
    button: 'Confirm email address',
    validity: 'The link works once, within the next 24 hours.',
    unexpected: 'If you did not register, you can ignore this message.',
  },
  reset: {
    subject: 'Choose a new password for {brand}',
    text: 'We received a request to reset the password of your {brand} account.',
    button: 'Choose a new password',
    validity: 'The link works once, within the next 2 hours.',
    unexpected: 'If you did not ask for this, ignore this message: your password stays as it is.',
  },
  invitation: {
    subject: 'You are invited to {brand}',
    toSite: 'You have been given access to the solar site {site} at {brand}.',
    toTeam: 'You have been invited to join the {brand} team.',
    toAccount: 'An account has been created for you at {brand}.',
    from: 'The invitation comes from {inviter}.',
    next: 'To get started, please choose a password.',
    button: 'Choose a password',
    validity: 'The link works once, within the next 7 days.',
    unexpected: 'If you do not know what this is about, you can ignore this message.',
  },
};
