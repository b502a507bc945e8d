import type { MailTexts } from './mail-texts.ts';

export const ro: MailTexts = {
  greeting: 'Bună ziua, {name},',
  greetingWithoutName: 'Bună ziua,',
  linkHint: 'Dacă butonul nu funcționează, deschideți această adresă în browser:',
  sentBy: 'Acest mesaj a fost trimis automat de {brand}.',
  confirmation: {
    subject: 'Confirmați adresa de e-mail pentru {brand}',
    text: 'Vă mulțumim că v-ați înregistrat la {brand}. Vă rugăm să confirmați adresa de e-mail pentru a finaliza configurarea contului.',
    button: 'Confirmați adresa de e-mail',
    validity: 'Linkul funcționează o singură dată, în următoarele 24 de ore.',
    unexpected: 'Dacă nu v-ați înregistrat, puteți ignora acest mesaj.',
  },
  reset: {
    subject: 'Alegeți o parolă nouă pentru {brand}',
    text: 'Am primit o cerere de resetare a parolei contului dumneavoastră {brand}.',
    button: 'Alegeți o parolă nouă',
    validity: 'Linkul funcționează o singură dată, în următoarele 2 ore.',
    unexpected: 'Dacă nu ați făcut această cerere, ignorați mesajul: parola rămâne neschimbată.',
  },
  secondFactor: {
    passkey_added: {
      subject: 'O cheie de acces a fost adăugată la contul dvs. {brand}',
      text: 'Cheia de acces „{name}” a fost adăugată la contul dvs. {brand}. Poate fi folosită pentru autentificare.',
    },
    passkey_removed: {
      subject: 'O cheie de acces a fost eliminată din contul dvs. {brand}',
      text: 'Cheia de acces „{name}” a fost eliminată din contul dvs. {brand}. Nu mai poate fi folosită pentru autentificare.',
    },
    app_added: {
      subject: 'O aplicație de autentificare a fost adăugată la contul dvs. {brand}',
      text: 'O aplicație de autentificare a fost adăugată la contul dvs. {brand}. La autentificare se cere acum un cod din ea.',
    },
    app_removed: {
      subject: 'Aplicația de autentificare a fost eliminată din contul dvs. {brand}',
      text: 'Aplicația de autentificare a fost eliminată din contul dvs. {brand}. Codurile ei nu mai sunt acceptate.',
    },
    codes_made: {
      subject: 'Coduri de recuperare noi pentru contul dvs. {brand}',
      text: 'Au fost create coduri de recuperare noi pentru contul dvs. {brand}. Cele vechi nu mai funcționează.',
    },
    code_used: {
      subject: 'Un cod de recuperare a fost folosit pentru contul dvs. {brand}',
      text: 'Un cod de recuperare a fost folosit în locul celui de-al doilea factor al contului dvs. {brand}. Coduri nefolosite rămase: {left}.',
    },
    reset: {
      subject: 'Al doilea factor al contului dvs. {brand} a fost resetat',
      text: 'Operatorul {brand} a eliminat toți factorii secundari ai contului dvs. și a încheiat toate sesiunile. Până când configurați altul, parola este suficientă pentru autentificare.',
    },
    button: 'Verificați securitatea',
    unexpected:
      'Dacă nu ați fost dvs., schimbați imediat parola, încheiați toate celelalte sesiuni și anunțați-ne.',
  },
  invitation: {
    subject: 'Invitație la {brand}',
    toSite: 'Ați primit acces la instalația fotovoltaică {site} de la {brand}.',
    toTeam: 'Ați fost invitat(ă) să faceți parte din echipa {brand}.',
    toAccount: 'A fost creat un cont pentru dumneavoastră la {brand}.',
    from: 'Invitația vine de la {inviter}.',
    next: 'Pentru a începe, vă rugăm să alegeți o parolă.',
    button: 'Alegeți o parolă',
    validity: 'Linkul funcționează o singură dată, în următoarele 7 zile.',
    unexpected: 'Dacă nu știți despre ce este vorba, puteți ignora acest mesaj.',
  },
  accountNotice: {
    time: 'Ora: {time}',
    address: 'Adresa: {address}',
  },
  passwordChanged: {
    subject: 'Parola contului dumneavoastră {brand} a fost schimbată',
    text: 'A fost setată o parolă nouă pentru contul dumneavoastră {brand}. Celelalte sesiuni s-au încheiat; tokenurile API rămân.',
    button: 'Alegeți altă parolă',
    unexpected:
      'Dacă nu ați fost dumneavoastră, alegeți imediat altă parolă, revocați tokenurile API pe care nu le cunoașteți și verificați activitatea de securitate a contului.',
  },
  tokenCreated: {
    subject: 'Token API nou pentru contul dumneavoastră {brand}',
    text: 'Tokenul API „{name}” a fost creat pentru contul dumneavoastră {brand}. Programele care îl au folosesc API-ul în numele dumneavoastră.',
    scopes: 'Permite: {scopes}.',
    button: 'Verificați tokenurile API',
    unexpected:
      'Dacă nu ați fost dumneavoastră, revocați imediat tokenul pe acea pagină și schimbați-vă parola.',
  },
  unknownNetwork: {
    subject: 'Conectare nouă la contul dumneavoastră {brand}',
    text: 'A avut loc o conectare la contul dumneavoastră {brand} dintr-o rețea din care nu a fost folosit în ultimele 90 de zile.',
    button: 'Verificați unde sunteți conectat',
    unexpected:
      'Dacă nu ați fost dumneavoastră, încheiați sesiunea pe acea pagină și schimbați-vă imediat parola.',
  },
  tokenScopes: {
    'sites:read_all': 'citirea tuturor instalațiilor pe care le vedeți și a valorilor lor în timp real',
    'sites:write_all':
      'modificarea setărilor acolo unde sunteți proprietar sau administrator; înregistrarea instalațiilor; invitarea, modificarea și eliminarea membrilor',
    'sites:recover_all': 'deschiderea și închiderea sesiunilor de asistență',
    'users:read_all': 'citirea listei de persoane',
    'orders:read_all': 'citirea comenzilor',
    'orders:write_all': 'marcarea comenzilor ca plătite',
    'products:read_all': 'citirea catalogului',
    'tickets:read_all': 'citirea tichetelor de asistență',
    'tickets:write_all': 'răspunsul la tichetele de asistență și modificarea lor',
  },
  teamInvitation: {
    subject: '{brand} vă invită în echipa sa',
    text: '{brand} vă invită să lucrați cu echipa sa.',
    next: 'Conectați-vă pentru a accepta sau a refuza. Până acceptați, {brand} nu vede nimic din contul dvs., iar dvs. nu vedeți nimic din instalațiile sale.',
    button: 'Vedeți invitația',
    validity: 'Invitația poate fi acceptată în următoarele 14 zile.',
    unexpected: 'Dacă nu cunoașteți {brand}, refuzați invitația sau ignorați acest mesaj.',
  },
  siteAccess: {
    subject: 'Ați primit acces la {site}',
    by: '{actor} v-a dat acest acces.',
    button: 'Deschideți instalația',
    leave: 'Dacă nu doriți acest acces, deschideți persoanele instalației și alegeți „Părăsiți”.',
    unexpected:
      'Dacă nu știți cine v-a dat acces, părăsiți instalația: celelalte persoane cu acces vă văd numele și adresa de e-mail.',
  },
  ownership: {
    subjectNew: 'Sunteți acum proprietarul {site}',
    textNew:
      'Instalația solară {site} v-a fost predată. Dvs. decideți cine are acces și puteți modifica setările.',
    subjectFormer: '{site} are un proprietar nou',
    textFormer:
      'Instalația solară {site} a fost predată către {owner}. Sunteți acum administratorul instalației.',
    by: '{actor} a făcut aceasta la {time}.',
    button: 'Deschideți instalația',
    unexpectedNew:
      'Dacă nu vă așteptați la aceasta, predați instalația înapoi fostului proprietar, care este încă administrator.',
    unexpectedFormer:
      'Dacă nu ați fost dvs., schimbați imediat parola și cereți operatorului serviciului să anuleze predarea.',
  },
};
