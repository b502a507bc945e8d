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
  secondFactor: {
    passkey_added: {
      subject: 'È stata aggiunta una passkey al Suo account {brand}',
      text: 'La passkey «{name}» è stata aggiunta al Suo account {brand}. Può essere usata per accedere.',
    },
    passkey_removed: {
      subject: 'È stata rimossa una passkey dal Suo account {brand}',
      text: 'La passkey «{name}» è stata rimossa dal Suo account {brand}. Non può più essere usata per accedere.',
    },
    app_added: {
      subject: 'È stata aggiunta un’app di autenticazione al Suo account {brand}',
      text: 'Un’app di autenticazione è stata aggiunta al Suo account {brand}. Per accedere ora è richiesto un suo codice.',
    },
    app_removed: {
      subject: 'L’app di autenticazione è stata rimossa dal Suo account {brand}',
      text: 'L’app di autenticazione è stata rimossa dal Suo account {brand}. I suoi codici non sono più accettati.',
    },
    codes_made: {
      subject: 'Nuovi codici di recupero per il Suo account {brand}',
      text: 'Sono stati creati nuovi codici di recupero per il Suo account {brand}. Quelli precedenti non funzionano più.',
    },
    code_used: {
      subject: 'È stato usato un codice di recupero per il Suo account {brand}',
      text: 'Un codice di recupero è stato usato al posto del secondo fattore del Suo account {brand}. Codici non ancora usati: {left}.',
    },
    reset: {
      subject: 'Il secondo fattore del Suo account {brand} è stato azzerato',
      text: 'Il gestore di {brand} ha rimosso tutti i secondi fattori dal Suo account e ne ha chiuso tutte le sessioni. Finché non ne configura un altro, per accedere basta la password.',
    },
    button: 'Controlli la sicurezza',
    unexpected: 'Se non è stato Lei, cambi subito la password, chiuda tutte le altre sessioni e ci avvisi.',
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
  teamInvitation: {
    subject: '{brand} La invita nel suo team',
    text: '{brand} La invita a lavorare con il suo team.',
    next: 'Acceda per accettare o rifiutare. Finché non accetta, {brand} non vede nulla del Suo account e Lei non vede nulla dei suoi impianti.',
    button: 'Vedere l’invito',
    validity: 'L’invito può essere accettato entro i prossimi 14 giorni.',
    unexpected: 'Se non conosce {brand}, rifiuti l’invito o ignori questo messaggio.',
  },
  siteAccess: {
    subject: 'Ha ricevuto l’accesso a {site}',
    by: '{actor} Le ha dato questo accesso.',
    button: 'Aprire l’impianto',
    leave: 'Se non desidera questo accesso, apra le persone dell’impianto e scelga «Esci».',
    unexpected:
      'Se non sa chi Le ha dato l’accesso, esca dall’impianto: le altre persone che vi accedono vedono il Suo nome e il Suo indirizzo e-mail.',
  },
  ownership: {
    subjectNew: 'Ora Lei è proprietario di {site}',
    textNew:
      'L’impianto solare {site} Le è stato ceduto. Lei decide chi può accedervi e può modificarne le impostazioni.',
    subjectFormer: '{site} ha un nuovo proprietario',
    textFormer: 'L’impianto solare {site} è stato ceduto a {owner}. Ora Lei ne è amministratore.',
    by: 'Lo ha fatto {actor} il {time}.',
    button: 'Aprire l’impianto',
    unexpectedNew:
      'Se non se lo aspettava, restituisca l’impianto al precedente proprietario, che ne è ancora amministratore.',
    unexpectedFormer:
      'Se non è stato Lei, cambi subito la password e chieda al gestore del servizio di annullare la cessione.',
  },
};
