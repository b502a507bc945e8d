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
};
