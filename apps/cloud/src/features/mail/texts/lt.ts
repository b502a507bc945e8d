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
  secondFactor: {
    passkey_added: {
      subject: 'Prie jūsų paskyros pridėtas prieigos raktas – {brand}',
      text: 'Prie jūsų „{brand}“ paskyros pridėtas prieigos raktas „{name}“. Juo galima prisijungti.',
    },
    passkey_removed: {
      subject: 'Iš jūsų paskyros pašalintas prieigos raktas – {brand}',
      text: 'Iš jūsų „{brand}“ paskyros pašalintas prieigos raktas „{name}“. Juo prisijungti nebegalima.',
    },
    app_added: {
      subject: 'Prie jūsų paskyros pridėta autentifikavimo programėlė – {brand}',
      text: 'Prie jūsų „{brand}“ paskyros pridėta autentifikavimo programėlė. Prisijungiant dabar reikia jos kodo.',
    },
    app_removed: {
      subject: 'Iš jūsų paskyros pašalinta autentifikavimo programėlė – {brand}',
      text: 'Iš jūsų „{brand}“ paskyros pašalinta autentifikavimo programėlė. Jos kodai nebegalioja.',
    },
    codes_made: {
      subject: 'Nauji jūsų paskyros atkūrimo kodai – {brand}',
      text: 'Jūsų „{brand}“ paskyrai sukurti nauji atkūrimo kodai. Senesni kodai nebegalioja.',
    },
    code_used: {
      subject: 'Panaudotas jūsų paskyros atkūrimo kodas – {brand}',
      text: 'Jūsų „{brand}“ paskyroje vietoj antrojo veiksnio panaudotas atkūrimo kodas. Liko nepanaudotų kodų: {left}.',
    },
    reset: {
      subject: 'Jūsų paskyros antrasis veiksnys pašalintas – {brand}',
      text: '„{brand}“ operatorius pašalino visus jūsų paskyros antruosius veiksnius ir užbaigė visus seansus. Kol nenustatysite naujo, prisijungti pakanka slaptažodžio.',
    },
    button: 'Peržiūrėti saugos nustatymus',
    unexpected:
      'Jei tai padarėte ne jūs, nedelsdami pakeiskite slaptažodį, užbaikite visus kitus seansus ir praneškite mums.',
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
  accountNotice: {
    time: 'Laikas: {time}',
    address: 'Adresas: {address}',
  },
  passwordChanged: {
    subject: 'Jūsų {brand} paskyros slaptažodis pakeistas',
    text: 'Jūsų {brand} paskyrai nustatytas naujas slaptažodis. Kitos sesijos baigtos; API prieigos raktai lieka.',
    button: 'Pasirinkti kitą slaptažodį',
    unexpected:
      'Jei tai buvote ne jūs, nedelsdami pasirinkite kitą slaptažodį, atšaukite nepažįstamus API prieigos raktus ir peržiūrėkite savo paskyros saugumo veiklą.',
  },
  tokenCreated: {
    subject: 'Naujas API prieigos raktas jūsų {brand} paskyrai',
    text: 'Jūsų {brand} paskyrai sukurtas API prieigos raktas „{name}“. Jį turinčios programos naudoja API jūsų vardu.',
    scopes: 'Jis leidžia: {scopes}.',
    button: 'Peržiūrėti API prieigos raktus',
    unexpected: 'Jei tai buvote ne jūs, nedelsdami atšaukite raktą tame puslapyje ir pakeiskite slaptažodį.',
  },
  unknownNetwork: {
    subject: 'Naujas prisijungimas prie jūsų {brand} paskyros',
    text: 'Prie jūsų {brand} paskyros prisijungta iš tinklo, iš kurio per pastarąsias 90 dienų ji nebuvo naudojama.',
    button: 'Peržiūrėti, kur esate prisijungę',
    unexpected: 'Jei tai buvote ne jūs, baikite sesiją tame puslapyje ir nedelsdami pakeiskite slaptažodį.',
  },
  tokenScopes: {
    'sites:read_all': 'skaityti visų jūsų matomų elektrinių duomenis ir dabartines reikšmes',
    'sites:write_all':
      'keisti nuostatas ten, kur esate savininkas ar administratorius; registruoti elektrines; kviesti, keisti ir šalinti narius',
    'sites:recover_all': 'pradėti ir baigti pagalbos seansus',
    'users:read_all': 'skaityti žmonių sąrašą',
    'orders:read_all': 'skaityti užsakymus',
    'orders:write_all': 'žymėti užsakymus apmokėtais',
    'products:read_all': 'skaityti prekių katalogą',
    'tickets:read_all': 'skaityti pagalbos užklausas',
    'tickets:write_all': 'atsakyti į pagalbos užklausas ir jas keisti',
  },
  teamInvitation: {
    subject: '{brand} kviečia jus į savo komandą',
    text: '{brand} kviečia jus dirbti savo komandoje.',
    next: 'Prisijunkite, kad priimtumėte arba atmestumėte. Kol nepriimsite, {brand} nemato nieko iš jūsų paskyros, o jūs nematote nieko iš jos elektrinių.',
    button: 'Peržiūrėti kvietimą',
    validity: 'Kvietimą galima priimti per artimiausias 14 dienų.',
    unexpected: 'Jei nepažįstate {brand}, atmeskite kvietimą arba nekreipkite dėmesio į šį laišką.',
  },
  siteAccess: {
    subject: 'Gavote prieigą prie {site}',
    by: 'Šią prieigą jums suteikė {actor}.',
    button: 'Atverti elektrinę',
    leave: 'Jei šios prieigos nenorite, atverkite elektrinės žmonių sąrašą ir pasirinkite „Išeiti“.',
    unexpected:
      'Jei nežinote, kas suteikė prieigą, išeikite iš elektrinės: kiti, turintys prieigą, mato jūsų vardą ir el. pašto adresą.',
  },
  ownership: {
    subjectNew: 'Dabar esate {site} savininkas',
    textNew:
      'Saulės elektrinė {site} perduota jums. Jūs sprendžiate, kas turi prieigą, ir galite keisti nustatymus.',
    subjectFormer: '{site} turi naują savininką',
    textFormer: 'Saulės elektrinė {site} perduota: {owner}. Dabar esate jos administratorius.',
    by: 'Tai padarė {actor}, {time}.',
    button: 'Atverti elektrinę',
    unexpectedNew:
      'Jei to nesitikėjote, grąžinkite elektrinę buvusiam savininkui, kuris vis dar yra jos administratorius.',
    unexpectedFormer:
      'Jei tai buvote ne jūs, nedelsdami pakeiskite slaptažodį ir paprašykite paslaugos valdytojo atšaukti perdavimą.',
  },
};
