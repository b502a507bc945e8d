import type { MailTexts } from './mail-texts.ts';

export const hu: MailTexts = {
  greeting: 'Tisztelt {name}!',
  greetingWithoutName: 'Tisztelt Felhasználónk!',
  linkHint: 'Ha a gomb nem működik, nyissa meg ezt a címet a böngészőjében:',
  sentBy: 'Ezt az üzenetet automatikusan küldte: {brand}.',
  confirmation: {
    subject: 'Erősítse meg e-mail-címét – {brand}',
    text: 'Köszönjük, hogy regisztrált a következő szolgáltatásban: {brand}. Kérjük, erősítse meg e-mail-címét a fiók beállításának befejezéséhez.',
    button: 'E-mail-cím megerősítése',
    validity: 'A hivatkozás egyszer használható, a következő 24 órán belül.',
    unexpected: 'Ha nem Ön regisztrált, hagyja figyelmen kívül ezt az üzenetet.',
  },
  reset: {
    subject: 'Válasszon új jelszót – {brand}',
    text: 'Kérést kaptunk az Ön fiókjához tartozó jelszó visszaállítására ({brand}).',
    button: 'Új jelszó választása',
    validity: 'A hivatkozás egyszer használható, a következő 2 órán belül.',
    unexpected: 'Ha nem Ön kérte, hagyja figyelmen kívül ezt az üzenetet: jelszava változatlan marad.',
  },
  secondFactor: {
    passkey_added: {
      subject: 'Új azonosítókulcs a fiókjában – {brand}',
      text: 'A(z) „{name}” azonosítókulcs bekerült az Ön fiókjába ({brand}). Bejelentkezéshez használható.',
    },
    passkey_removed: {
      subject: 'Azonosítókulcs eltávolítva a fiókjából – {brand}',
      text: 'A(z) „{name}” azonosítókulcsot eltávolították az Ön fiókjából ({brand}). Bejelentkezéshez többé nem használható.',
    },
    app_added: {
      subject: 'Új hitelesítő alkalmazás a fiókjában – {brand}',
      text: 'Hitelesítő alkalmazást adtak az Ön fiókjához ({brand}). A bejelentkezéshez mostantól annak kódja is szükséges.',
    },
    app_removed: {
      subject: 'Hitelesítő alkalmazás eltávolítva a fiókjából – {brand}',
      text: 'A hitelesítő alkalmazást eltávolították az Ön fiókjából ({brand}). A kódjai többé nem érvényesek.',
    },
    codes_made: {
      subject: 'Új helyreállító kódok a fiókjához – {brand}',
      text: 'Új helyreállító kódok készültek az Ön fiókjához ({brand}). A régebbi kódok már nem érvényesek.',
    },
    code_used: {
      subject: 'Helyreállító kódot használtak a fiókjához – {brand}',
      text: 'A második tényező helyett helyreállító kódot használtak az Ön fiókjánál ({brand}). Megmaradt, fel nem használt kódok: {left}.',
    },
    reset: {
      subject: 'Fiókja második tényezőjét visszaállították – {brand}',
      text: 'A szolgáltatás ({brand}) üzemeltetője eltávolította fiókja minden második tényezőjét, és lezárta az összes munkamenetet. Amíg nem állít be újat, a bejelentkezéshez elég a jelszó.',
    },
    button: 'Biztonsági beállítások áttekintése',
    unexpected:
      'Ha nem Ön volt az, azonnal változtassa meg a jelszavát, zárjon le minden más munkamenetet, és értesítsen minket.',
  },
  invitation: {
    subject: 'Meghívó – {brand}',
    toSite: 'Hozzáférést kapott a következő napelemes rendszerhez: {site} ({brand}).',
    toTeam: 'Meghívást kapott, hogy csatlakozzon a következő csapathoz: {brand}.',
    toAccount: 'Fiókot hoztunk létre Önnek a következő szolgáltatásban: {brand}.',
    from: 'A meghívót küldte: {inviter}.',
    next: 'Kezdésként kérjük, válasszon jelszót.',
    button: 'Jelszó választása',
    validity: 'A hivatkozás egyszer használható, a következő 7 napon belül.',
    unexpected: 'Ha nem tudja, miről van szó, hagyja figyelmen kívül ezt az üzenetet.',
  },
  accountNotice: {
    time: 'Időpont: {time}',
    address: 'Cím: {address}',
  },
  passwordChanged: {
    subject: 'Megváltozott {brand}-fiókjának jelszava',
    text: 'Új jelszót állítottak be {brand}-fiókjához. A többi munkamenet véget ért; az API-tokenek megmaradnak.',
    button: 'Másik jelszó választása',
    unexpected:
      'Ha nem Ön volt, azonnal válasszon másik jelszót, vonja vissza az ismeretlen API-tokeneket, és nézze meg fiókja biztonsági tevékenységét.',
  },
  tokenCreated: {
    subject: 'Új API-token {brand}-fiókjához',
    text: 'Létrejött a(z) „{name}” API-token {brand}-fiókjához. Az azt birtokló programok az Ön nevében használják az API-t.',
    scopes: 'Ezt teheti: {scopes}.',
    button: 'API-tokenek megtekintése',
    unexpected:
      'Ha nem Ön volt, azonnal vonja vissza a tokent azon az oldalon, és változtassa meg jelszavát.',
  },
  unknownNetwork: {
    subject: 'Új bejelentkezés {brand}-fiókjába',
    text: 'Bejelentkeztek {brand}-fiókjába egy olyan hálózatról, amelyről az elmúlt 90 napban nem használták.',
    button: 'Bejelentkezések megtekintése',
    unexpected:
      'Ha nem Ön volt, zárja le a munkamenetet azon az oldalon, és azonnal változtassa meg jelszavát.',
  },
  tokenScopes: {
    'sites:read_all': 'minden Ön által látott rendszer és élő értékei olvasása',
    'sites:write_all':
      'beállítások módosítása ott, ahol Ön tulajdonos vagy adminisztrátor; rendszerek regisztrálása; tagok meghívása, módosítása és eltávolítása',
    'sites:recover_all': 'támogatási munkamenetek megnyitása és lezárása',
    'users:read_all': 'a személyek jegyzékének olvasása',
    'orders:read_all': 'megrendelések olvasása',
    'orders:write_all': 'megrendelések fizetettnek jelölése',
    'products:read_all': 'a termékkatalógus olvasása',
    'tickets:read_all': 'ügyfélszolgálati jegyek olvasása',
    'tickets:write_all': 'ügyfélszolgálati jegyek megválaszolása és módosítása',
  },
  teamInvitation: {
    subject: '{brand} meghívja a csapatába',
    text: '{brand} meghívja, hogy dolgozzon a csapatában.',
    next: 'Jelentkezzen be az elfogadáshoz vagy az elutasításhoz. Amíg el nem fogadja, {brand} semmit sem lát a fiókjából, és Ön sem lát semmit a rendszereiből.',
    button: 'Meghívó megtekintése',
    validity: 'A meghívó a következő 14 napban fogadható el.',
    unexpected:
      'Ha nem ismeri ezt a szervezetet: {brand}, utasítsa el a meghívót, vagy hagyja figyelmen kívül ezt az üzenetet.',
  },
  siteAccess: {
    subject: 'Hozzáférést kapott: {site}',
    by: 'A hozzáférést {actor} adta.',
    button: 'Rendszer megnyitása',
    leave:
      'Ha nem kéri a hozzáférést, nyissa meg a rendszer személyeit, és válassza a „Kilépés” lehetőséget.',
    unexpected:
      'Ha nem tudja, ki adta a hozzáférést, lépjen ki a rendszerből: a többi hozzáféréssel rendelkező látja a nevét és az e-mail-címét.',
  },
  ownership: {
    subjectNew: 'Mostantól Ön a tulajdonos: {site}',
    textNew:
      'A(z) {site} napelemes rendszert átadták Önnek. Ön dönti el, ki férhet hozzá, és módosíthatja a beállításait.',
    subjectFormer: 'Új tulajdonos: {site}',
    textFormer:
      'A(z) {site} napelemes rendszer új tulajdonosa: {owner}. Ön mostantól a rendszer adminisztrátora.',
    by: 'A módosítást {actor} végezte, {time}.',
    button: 'Rendszer megnyitása',
    unexpectedNew:
      'Ha erre nem számított, adja vissza a rendszert a korábbi tulajdonosnak, aki továbbra is az adminisztrátora.',
    unexpectedFormer:
      'Ha nem Ön volt, azonnal változtassa meg a jelszavát, és kérje a szolgáltatás üzemeltetőjét, hogy vonja vissza az átadást.',
  },
};
