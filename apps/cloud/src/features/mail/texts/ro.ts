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
};
