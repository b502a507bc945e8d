import type { MailTexts } from './mail-texts.ts';

export const it: MailTexts = {
  greeting: 'Salve {name},',
  greetingWithoutName: 'Salve,',
  linkHint: 'Se il pulsante non funziona, apra questo indirizzo nel browser:',
  sentBy: 'Questo messaggio è stato inviato automaticamente da {brand}.',
  confirmation: {
    subject: 'Confermi il Suo indirizzo e-mail per {brand}',
    text: 'Grazie per la registrazione presso {brand}. La preghiamo di confermare il Suo indirizzo e-mail per completare la configurazione dell’account.',
    button: 'Conferma l’indirizzo e-mail',
    validity: 'Il link funziona una sola volta, entro le prossime 24 ore.',
    unexpected: 'Se non ha effettuato la registrazione, può ignorare questo messaggio.',
  },
  reset: {
    subject: 'Scelga una nuova password per {brand}',
    text: 'Abbiamo ricevuto una richiesta di reimpostazione della password del Suo account {brand}.',
    button: 'Scegli una nuova password',
    validity: 'Il link funziona una sola volta, entro le prossime 2 ore.',
    unexpected: 'Se non l’ha richiesta Lei, ignori questo messaggio: la Sua password resta invariata.',
  },
  invitation: {
    subject: 'Invito a {brand}',
    toSite: 'Ha ricevuto l’accesso all’impianto fotovoltaico {site} presso {brand}.',
    toTeam: 'Ha ricevuto un invito a far parte del team di {brand}.',
    toAccount: 'È stato creato un account per Lei presso {brand}.',
    from: 'L’invito proviene da {inviter}.',
    next: 'Per iniziare, scelga una password.',
    button: 'Scegli una password',
    validity: 'Il link funziona una sola volta, entro i prossimi 7 giorni.',
    unexpected: 'Se non sa di cosa si tratta, può ignorare questo messaggio.',
  },
};
