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
  secondFactor: {
    passkey_added: {
      subject: 'Une clé d’accès a été ajoutée à votre compte {brand}',
      text: 'La clé d’accès « {name} » a été ajoutée à votre compte {brand}. Elle permet de se connecter.',
    },
    passkey_removed: {
      subject: 'Une clé d’accès a été supprimée de votre compte {brand}',
      text: 'La clé d’accès « {name} » a été supprimée de votre compte {brand}. Elle ne permet plus de se connecter.',
    },
    app_added: {
      subject: 'Une application d’authentification a été ajoutée à votre compte {brand}',
      text: 'Une application d’authentification a été ajoutée à votre compte {brand}. La connexion demande désormais un code de cette application.',
    },
    app_removed: {
      subject: 'L’application d’authentification a été supprimée de votre compte {brand}',
      text: 'L’application d’authentification a été supprimée de votre compte {brand}. Ses codes ne sont plus acceptés.',
    },
    codes_made: {
      subject: 'Nouveaux codes de récupération pour votre compte {brand}',
      text: 'De nouveaux codes de récupération ont été créés pour votre compte {brand}. Les anciens ne fonctionnent plus.',
    },
    code_used: {
      subject: 'Un code de récupération a été utilisé pour votre compte {brand}',
      text: 'Un code de récupération a été utilisé à la place du second facteur de votre compte {brand}. Codes inutilisés restants : {left}.',
    },
    reset: {
      subject: 'Le second facteur de votre compte {brand} a été réinitialisé',
      text: 'L’exploitant de {brand} a supprimé tous les seconds facteurs de votre compte et mis fin à toutes ses sessions. Tant que vous n’en configurez pas un autre, le mot de passe suffit pour se connecter.',
    },
    button: 'Vérifier la sécurité',
    unexpected:
      'Si ce n’était pas vous, changez immédiatement votre mot de passe, mettez fin à toutes les autres sessions et prévenez-nous.',
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
  accountNotice: {
    time: 'Heure : {time}',
    address: 'Adresse : {address}',
  },
  passwordChanged: {
    subject: 'Le mot de passe de votre compte {brand} a été changé',
    text: 'Un nouveau mot de passe a été défini pour votre compte {brand}. Les autres sessions sont terminées ; les jetons d’API restent.',
    button: 'Choisir un autre mot de passe',
    unexpected:
      'Si ce n’était pas vous, choisissez aussitôt un autre mot de passe, révoquez les jetons d’API que vous ne connaissez pas et consultez l’activité de sécurité de votre compte.',
  },
  tokenCreated: {
    subject: 'Nouveau jeton d’API pour votre compte {brand}',
    text: 'Le jeton d’API « {name} » a été créé pour votre compte {brand}. Les programmes qui l’ont utilisent l’API en votre nom.',
    scopes: 'Il peut : {scopes}.',
    button: 'Voir les jetons d’API',
    unexpected:
      'Si ce n’était pas vous, révoquez aussitôt le jeton sur cette page et changez votre mot de passe.',
  },
  unknownNetwork: {
    subject: 'Nouvelle connexion à votre compte {brand}',
    text: 'Une connexion à votre compte {brand} a eu lieu depuis un réseau d’où il n’avait pas été utilisé ces 90 derniers jours.',
    button: 'Voir où vous êtes connecté',
    unexpected:
      'Si ce n’était pas vous, terminez la session sur cette page et changez aussitôt votre mot de passe.',
  },
  tokenScopes: {
    'sites:read_all': 'lire toutes les installations que vous voyez et leurs valeurs en direct',
    'sites:write_all':
      'modifier les réglages là où vous êtes propriétaire ou administrateur ; enregistrer des installations ; inviter, modifier et retirer des membres',
    'sites:recover_all': 'ouvrir et fermer des sessions d’assistance',
    'users:read_all': 'lire l’annuaire des personnes',
    'orders:read_all': 'lire les commandes',
    'orders:write_all': 'marquer des commandes comme payées',
    'products:read_all': 'lire le catalogue',
    'tickets:read_all': 'lire les tickets d’assistance',
    'tickets:write_all': 'répondre aux tickets d’assistance et les modifier',
  },
  teamInvitation: {
    subject: '{brand} vous invite dans son équipe',
    text: '{brand} vous invite à travailler avec son équipe.',
    next: 'Connectez-vous pour accepter ou refuser. Tant que vous n’avez pas accepté, {brand} ne voit rien de votre compte et vous ne voyez rien de ses installations.',
    button: 'Voir l’invitation',
    validity: 'L’invitation peut être acceptée pendant les 14 prochains jours.',
    unexpected: 'Si vous ne connaissez pas {brand}, refusez l’invitation ou ignorez ce message.',
  },
  siteAccess: {
    subject: 'Vous avez accès à {site}',
    by: '{actor} vous a donné cet accès.',
    button: 'Ouvrir l’installation',
    leave:
      'Si vous ne souhaitez pas cet accès, ouvrez les personnes de l’installation et choisissez « Quitter ».',
    unexpected:
      'Si vous ne savez pas qui vous a donné accès, quittez l’installation : les autres personnes qui y ont accès voient votre nom et votre adresse e-mail.',
  },
  ownership: {
    subjectNew: 'Vous êtes désormais propriétaire de {site}',
    textNew:
      'L’installation solaire {site} vous a été cédée. Vous décidez qui y a accès et pouvez modifier ses réglages.',
    subjectFormer: '{site} a un nouveau propriétaire',
    textFormer: 'L’installation solaire {site} a été cédée à {owner}. Vous en êtes désormais administrateur.',
    by: '{actor} a fait ce changement le {time}.',
    button: 'Ouvrir l’installation',
    unexpectedNew:
      'Si vous ne vous y attendiez pas, rendez l’installation à son ancien propriétaire, qui en reste administrateur.',
    unexpectedFormer:
      'Si ce n’était pas vous, changez immédiatement votre mot de passe et demandez à l’opérateur du service d’annuler la cession.',
  },
};
