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
  accountNotice: {
    time: 'Ora: {time}',
    address: 'Indirizzo: {address}',
  },
  passwordChanged: {
    subject: 'La password del Suo account {brand} è stata cambiata',
    text: 'È stata impostata una nuova password per il Suo account {brand}. Le altre sessioni sono terminate; i token API restano.',
    button: 'Scegliere un’altra password',
    unexpected:
      'Se non è stato Lei, scelga subito un’altra password, revochi i token API che non conosce e controlli l’attività di sicurezza del Suo account.',
  },
  tokenCreated: {
    subject: 'Nuovo token API per il Suo account {brand}',
    text: 'È stato creato il token API “{name}” per il Suo account {brand}. I programmi che lo possiedono usano l’API a Suo nome.',
    scopes: 'Può: {scopes}.',
    button: 'Controllare i token API',
    unexpected: 'Se non è stato Lei, revochi subito il token in quella pagina e cambi la password.',
  },
  unknownNetwork: {
    subject: 'Nuovo accesso al Suo account {brand}',
    text: 'È stato effettuato un accesso al Suo account {brand} da una rete da cui non era stato usato negli ultimi 90 giorni.',
    button: 'Controllare dove ha effettuato l’accesso',
    unexpected: 'Se non è stato Lei, termini la sessione in quella pagina e cambi subito la password.',
  },
  tokenScopes: {
    'sites:read_all': 'leggere tutti gli impianti che Lei vede e i loro valori in tempo reale',
    'sites:write_all':
      'modificare le impostazioni dove Lei è proprietario o amministratore; registrare impianti; invitare, modificare e rimuovere membri',
    'sites:recover_all': 'aprire e chiudere sessioni di assistenza',
    'users:read_all': 'leggere l’elenco delle persone',
    'orders:read_all': 'leggere gli ordini',
    'orders:write_all': 'contrassegnare gli ordini come pagati',
    'products:read_all': 'leggere il catalogo',
    'tickets:read_all': 'leggere le richieste di assistenza',
    'tickets:write_all': 'rispondere alle richieste di assistenza e modificarle',
  },
};
