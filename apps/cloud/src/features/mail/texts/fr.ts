import type { MailTexts } from './mail-texts.ts';

export const fr: MailTexts = {
  greeting: 'Bonjour {name},',
  greetingWithoutName: 'Bonjour,',
  linkHint: 'Si le bouton ne fonctionne pas, ouvrez cette adresse dans votre navigateur :',
  sentBy: 'Ce message a été envoyé automatiquement par {brand}.',
  confirmation: {
    subject: 'Confirmez votre adresse e-mail pour {brand}',
    text: 'Merci de vous être inscrit(e) auprès de {brand}. Veuillez confirmer votre adresse e-mail pour terminer la création de votre compte.',
    button: 'Confirmer l’adresse e-mail',
    validity: 'Le lien fonctionne une seule fois, pendant les prochaines 24 heures.',
    unexpected: 'Si vous ne vous êtes pas inscrit(e), vous pouvez ignorer ce message.',
  },
  reset: {
    subject: 'Choisissez un nouveau mot de passe pour {brand}',
    text: 'Nous avons reçu une demande de réinitialisation du mot de passe de votre compte {brand}.',
    button: 'Choisir un nouveau mot de passe',
    validity: 'Le lien fonctionne une seule fois, pendant les 2 prochaines heures.',
    unexpected:
      'Si vous n’êtes pas à l’origine de cette demande, ignorez ce message : votre mot de passe reste inchangé.',
  },
  invitation: {
    subject: 'Invitation à rejoindre {brand}',
    toSite: 'Vous avez désormais accès à l’installation solaire {site} chez {brand}.',
    toTeam: 'Vous êtes invité(e) à rejoindre l’équipe de {brand}.',
    toAccount: 'Un compte a été créé pour vous chez {brand}.',
    from: 'L’invitation vous est adressée par {inviter}.',
    next: 'Pour commencer, veuillez choisir un mot de passe.',
    button: 'Choisir un mot de passe',
    validity: 'Le lien fonctionne une seule fois, pendant les 7 prochains jours.',
    unexpected: 'Si vous ne savez pas de quoi il s’agit, vous pouvez ignorer ce message.',
  },
};
