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
  secondFactor: {
    passkey_added: {
      subject: 'A passkey was added to your {brand} account',
      text: 'The passkey “{name}” was added to your {brand} account. It can be used to sign in.',
    },
    passkey_removed: {
      subject: 'A passkey was removed from your {brand} account',
      text: 'The passkey “{name}” was removed from your {brand} account. It can no longer be used to sign in.',
    },
    app_added: {
      subject: 'An authenticator app was added to your {brand} account',
      text: 'An authenticator app was added to your {brand} account. Signing in now asks for a code from it.',
    },
    app_removed: {
      subject: 'The authenticator app was removed from your {brand} account',
      text: 'The authenticator app was removed from your {brand} account. Its codes are no longer accepted.',
    },
    codes_made: {
      subject: 'New recovery codes for your {brand} account',
      text: 'New recovery codes were created for your {brand} account. Older codes no longer work.',
    },
    code_used: {
      subject: 'A recovery code was used for your {brand} account',
      text: 'A recovery code was used to sign in to your {brand} account, in place of the second factor. Unused codes left: {left}.',
    },
    reset: {
      subject: 'The second factor of your {brand} account was reset',
      text: 'The operator of {brand} removed every second factor from your account and ended all its sessions. Until you set up another one, the password alone signs in.',
    },
    button: 'Review security settings',
    unexpected: 'If this was not you, change your password at once, end all other sessions and tell us.',
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
  accountNotice: {
    time: 'Time: {time}',
    address: 'Address: {address}',
  },
  passwordChanged: {
    subject: 'The password of your {brand} account was changed',
    text: 'A new password was set for your {brand} account. Other sessions have ended; API tokens stay.',
    button: 'Choose another password',
    unexpected:
      'If this was not you, choose another password at once, revoke API tokens that you do not know, and look at the security activity of your account.',
  },
  tokenCreated: {
    subject: 'New API token for your {brand} account',
    text: 'The API token “{name}” was created for your {brand} account. Programs that have it use the API in your name.',
    scopes: 'It may: {scopes}.',
    button: 'Review API tokens',
    unexpected: 'If this was not you, revoke the token on that page at once and change your password.',
  },
  unknownNetwork: {
    subject: 'New sign-in to your {brand} account',
    text: 'Your {brand} account was signed in to from a network that it had not been used from in the last 90 days.',
    button: 'Review where you are signed in',
    unexpected: 'If this was not you, end the session on that page and change your password at once.',
  },
  tokenScopes: {
    'sites:read_all': 'read all sites that you see, and their live values',
    'sites:write_all':
      'change settings where you are owner or admin; register sites; invite, change and remove members',
    'sites:recover_all': 'open and close support sessions',
    'users:read_all': 'read the directory of people',
    'orders:read_all': 'read orders',
    'orders:write_all': 'mark orders as paid',
    'products:read_all': 'read the catalogue',
    'tickets:read_all': 'read support tickets',
    'tickets:write_all': 'answer and change support tickets',
  },
  teamInvitation: {
    subject: '{brand} invites you to its team',
    text: '{brand} invites you to work with its team.',
    next: 'Sign in to accept or decline. Until you accept, {brand} sees nothing of your account, and you see nothing of its sites.',
    button: 'See the invitation',
    validity: 'The invitation can be accepted within the next 14 days.',
    unexpected: 'If you do not know {brand}, decline the invitation or ignore this message.',
  },
  siteAccess: {
    subject: 'You have been given access to {site}',
    by: '{actor} gave you this access.',
    button: 'Open the site',
    leave: 'If you do not want this access, open the people of the site and choose “Leave”.',
    unexpected:
      'If you do not know who gave you access, leave the site: others who have access to it see your name and email address.',
  },
  ownership: {
    subjectNew: 'You are now the owner of {site}',
    textNew:
      'The solar site {site} was handed over to you. You decide who has access to it and may change its settings.',
    subjectFormer: '{site} has a new owner',
    textFormer: 'The solar site {site} was handed over to {owner}. You are now an admin of the site.',
    by: '{actor} did this on {time}.',
    button: 'Open the site',
    unexpectedNew:
      'If you did not expect this, hand the site back to its former owner, who is still an admin of it.',
    unexpectedFormer:
      'If this was not you, change your password at once, and ask the operator of the service to undo the handover.',
  },
};
