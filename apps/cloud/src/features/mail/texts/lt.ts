import type { MailTexts } from './mail-texts.ts';

export const lt: MailTexts = {
  greeting: 'Sveiki, {name},',
  greetingWithoutName: 'Sveiki,',
  linkHint: 'Jei mygtukas neveikia, atverkite šį adresą savo naršyklėje:',
  sentBy: 'Šį laišką automatiškai išsiuntė {brand}.',
  confirmation: {
    subject: 'Patvirtinkite savo el. pašto adresą – {brand}',
    text: 'Dėkojame, kad užsiregistravote „{brand}“. Patvirtinkite savo el. pašto adresą, kad paskyra būtų galutinai sukurta.',
    button: 'Patvirtinti el. pašto adresą',
    validity: 'Nuoroda veikia vieną kartą per artimiausias 24 valandas.',
    unexpected: 'Jei nesiregistravote, šį laišką galite ignoruoti.',
  },
  reset: {
    subject: 'Pasirinkite naują slaptažodį – {brand}',
    text: 'Gavome prašymą atkurti jūsų „{brand}“ paskyros slaptažodį.',
    button: 'Pasirinkti naują slaptažodį',
    validity: 'Nuoroda veikia vieną kartą per artimiausias 2 valandas.',
    unexpected: 'Jei to neprašėte, ignoruokite šį laišką: jūsų slaptažodis nepasikeis.',
  },
  invitation: {
    subject: 'Kvietimas – {brand}',
    toSite: 'Jums suteikta prieiga prie saulės elektrinės „{site}“ ({brand}).',
    toTeam: 'Esate kviečiami prisijungti prie „{brand}“ komandos.',
    toAccount: 'Jums sukurta „{brand}“ paskyra.',
    from: 'Kvietimą siunčia {inviter}.',
    next: 'Norėdami pradėti, pasirinkite slaptažodį.',
    button: 'Pasirinkti slaptažodį',
    validity: 'Nuoroda veikia vieną kartą per artimiausias 7 dienas.',
    unexpected: 'Jei nežinote, apie ką šis laiškas, galite jį ignoruoti.',
  },
};
