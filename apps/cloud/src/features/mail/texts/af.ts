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
};
