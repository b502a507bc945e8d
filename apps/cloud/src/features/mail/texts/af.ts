import type { MailTexts } from './mail-texts.ts';

export const af: MailTexts = {
  greeting: 'Hallo {name},',
  greetingWithoutName: 'Hallo,',
  linkHint: 'As die knoppie nie werk nie, maak hierdie adres in u blaaier oop:',
  sentBy: 'Hierdie boodskap is outomaties deur {brand} gestuur.',
  confirmation: {
    subject: 'Bevestig u e-posadres vir {brand}',
    text: 'Dankie dat u by {brand} geregistreer het. Bevestig asseblief u e-posadres om u rekening te voltooi.',
    button: 'Bevestig e-posadres',
    validity: 'Die skakel werk een keer, binne die volgende 24 uur.',
    unexpected: 'As u nie geregistreer het nie, kan u hierdie boodskap ignoreer.',
  },
  reset: {
    subject: 'Kies ’n nuwe wagwoord vir {brand}',
    text: 'Ons het ’n versoek ontvang om die wagwoord van u rekening by {brand} te herstel.',
    button: 'Kies ’n nuwe wagwoord',
    validity: 'Die skakel werk een keer, binne die volgende 2 uur.',
    unexpected: 'As u dit nie aangevra het nie, ignoreer hierdie boodskap: u wagwoord bly soos dit is.',
  },
  secondFactor: {
    passkey_added: {
      subject: '’n Wagwoordsleutel is by u rekening by {brand} gevoeg',
      text: 'Die wagwoordsleutel “{name}” is by u rekening by {brand} gevoeg. Daarmee kan aangemeld word.',
    },
    passkey_removed: {
      subject: '’n Wagwoordsleutel is uit u rekening by {brand} verwyder',
      text: 'Die wagwoordsleutel “{name}” is uit u rekening by {brand} verwyder. Daar kan nie meer daarmee aangemeld word nie.',
    },
    app_added: {
      subject: '’n Verifieerprogram is by u rekening by {brand} gevoeg',
      text: '’n Verifieerprogram is by u rekening by {brand} gevoeg. By aanmelding word nou ’n kode daaruit gevra.',
    },
    app_removed: {
      subject: 'Die verifieerprogram is uit u rekening by {brand} verwyder',
      text: 'Die verifieerprogram is uit u rekening by {brand} verwyder. Sy kodes word nie meer aanvaar nie.',
    },
    codes_made: {
      subject: 'Nuwe herstelkodes vir u rekening by {brand}',
      text: 'Nuwe herstelkodes is vir u rekening by {brand} gemaak. Ouer kodes werk nie meer nie.',
    },
    code_used: {
      subject: '’n Herstelkode is vir u rekening by {brand} gebruik',
      text: '’n Herstelkode is in die plek van die tweede faktor vir u rekening by {brand} gebruik. Ongebruikte kodes oor: {left}.',
    },
    reset: {
      subject: 'Die tweede faktor van u rekening by {brand} is teruggestel',
      text: 'Die operateur van {brand} het alle tweede faktore van u rekening verwyder en alle sessies beëindig. Totdat u weer een opstel, is die wagwoord alleen genoeg om aan te meld.',
    },
    button: 'Gaan sekuriteitsinstellings na',
    unexpected:
      'As dit nie u was nie, verander dadelik u wagwoord, beëindig alle ander sessies en laat ons weet.',
  },
  invitation: {
    subject: 'U is genooi na {brand}',
    toSite: 'U het toegang tot die sonkraginstallasie {site} by {brand} gekry.',
    toTeam: 'U is genooi om by die span van {brand} aan te sluit.',
    toAccount: '’n Rekening is vir u by {brand} geskep.',
    from: 'Die uitnodiging kom van {inviter}.',
    next: 'Kies asseblief ’n wagwoord om te begin.',
    button: 'Kies ’n wagwoord',
    validity: 'Die skakel werk een keer, binne die volgende 7 dae.',
    unexpected: 'As u nie weet waaroor dit gaan nie, kan u hierdie boodskap ignoreer.',
  },
  accountNotice: {
    time: 'Tyd: {time}',
    address: 'Adres: {address}',
  },
  passwordChanged: {
    subject: 'Die wagwoord van u {brand}-rekening is verander',
    text: '’n Nuwe wagwoord is vir u {brand}-rekening gestel. Ander sessies het geëindig; API-tokens bly.',
    button: 'Kies ’n ander wagwoord',
    unexpected:
      'As dit nie u was nie, kies dadelik ’n ander wagwoord, herroep API-tokens wat u nie ken nie, en kyk na die sekuriteitsaktiwiteit van u rekening.',
  },
  tokenCreated: {
    subject: 'Nuwe API-token vir u {brand}-rekening',
    text: 'Die API-token “{name}” is vir u {brand}-rekening gemaak. Programme wat dit het, gebruik die API namens u.',
    scopes: 'Dit mag: {scopes}.',
    button: 'Bekyk API-tokens',
    unexpected: 'As dit nie u was nie, herroep die token dadelik op daardie bladsy en verander u wagwoord.',
  },
  unknownNetwork: {
    subject: 'Nuwe aanmelding by u {brand}-rekening',
    text: 'Iemand het by u {brand}-rekening aangemeld vanaf ’n netwerk wat in die afgelope 90 dae nie daarvoor gebruik is nie.',
    button: 'Kyk waar u aangemeld is',
    unexpected: 'As dit nie u was nie, beëindig die sessie op daardie bladsy en verander dadelik u wagwoord.',
  },
  tokenScopes: {
    'sites:read_all': 'alle installasies lees wat u sien, met hul lewendige waardes',
    'sites:write_all':
      'instellings verander waar u eienaar of administrateur is; installasies registreer; lede uitnooi, verander en verwyder',
    'sites:recover_all': 'ondersteuningsessies oopmaak en toemaak',
    'users:read_all': 'die gids van mense lees',
    'orders:read_all': 'bestellings lees',
    'orders:write_all': 'bestellings as betaal merk',
    'products:read_all': 'die katalogus lees',
    'tickets:read_all': 'ondersteuningskaartjies lees',
    'tickets:write_all': 'ondersteuningskaartjies beantwoord en verander',
  },
  teamInvitation: {
    subject: '{brand} nooi u uit na hulle span',
    text: '{brand} nooi u uit om saam met hulle span te werk.',
    next: 'Meld aan om te aanvaar of te weier. Totdat u aanvaar, sien {brand} niks van u rekening nie, en u niks van hulle aanlegte nie.',
    button: 'Bekyk die uitnodiging',
    validity: 'Die uitnodiging kan binne die volgende 14 dae aanvaar word.',
    unexpected: 'As u {brand} nie ken nie, weier die uitnodiging of ignoreer hierdie boodskap.',
  },
  siteAccess: {
    subject: 'U het toegang tot {site} gekry',
    by: '{actor} het u hierdie toegang gegee.',
    button: 'Maak die aanleg oop',
    leave: 'As u nie hierdie toegang wil hê nie, maak die mense van die aanleg oop en kies “Verlaat”.',
    unexpected:
      'As u nie weet wie u toegang gegee het nie, verlaat die aanleg: ander met toegang sien u naam en e-posadres.',
  },
  ownership: {
    subjectNew: 'U is nou die eienaar van {site}',
    textNew:
      'Die sonkragaanleg {site} is aan u oorgedra. U besluit wie toegang het en mag die instellings verander.',
    subjectFormer: "{site} het 'n nuwe eienaar",
    textFormer:
      "Die sonkragaanleg {site} is aan {owner} oorgedra. U is nou 'n administrateur van die aanleg.",
    by: '{actor} het dit op {time} gedoen.',
    button: 'Maak die aanleg oop',
    unexpectedNew:
      "As u dit nie verwag het nie, gee die aanleg terug aan die vorige eienaar, wat nog 'n administrateur is.",
    unexpectedFormer:
      'As dit nie u was nie, verander dadelik u wagwoord en vra die operateur van die diens om die oordrag ongedaan te maak.',
  },
};
