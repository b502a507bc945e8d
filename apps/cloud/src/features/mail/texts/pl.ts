import type { MailTexts } from './mail-texts.ts';

export const pl: MailTexts = {
  greeting: 'Dzień dobry, {name},',
  greetingWithoutName: 'Dzień dobry,',
  linkHint: 'Jeśli przycisk nie działa, proszę otworzyć ten adres w przeglądarce:',
  sentBy: 'Ta wiadomość została wysłana automatycznie przez {brand}.',
  confirmation: {
    subject: 'Potwierdzenie adresu e-mail w {brand}',
    text: 'Dziękujemy za rejestrację w {brand}. Prosimy o potwierdzenie adresu e-mail, aby dokończyć zakładanie konta.',
    button: 'Potwierdź adres e-mail',
    validity: 'Link działa jeden raz, w ciągu najbliższych 24 godzin.',
    unexpected: 'Jeśli to nie Państwa rejestracja, prosimy zignorować tę wiadomość.',
  },
  reset: {
    subject: 'Nowe hasło do {brand}',
    text: 'Otrzymaliśmy prośbę o zresetowanie hasła do Państwa konta w {brand}.',
    button: 'Ustaw nowe hasło',
    validity: 'Link działa jeden raz, w ciągu najbliższych 2 godzin.',
    unexpected:
      'Jeśli ta prośba nie pochodzi od Państwa, prosimy zignorować tę wiadomość: hasło pozostanie bez zmian.',
  },
  invitation: {
    subject: 'Zaproszenie do {brand}',
    toSite: 'Otrzymali Państwo dostęp do instalacji fotowoltaicznej {site} w {brand}.',
    toTeam: 'Zapraszamy do dołączenia do zespołu {brand}.',
    toAccount: 'Utworzono dla Państwa konto w {brand}.',
    from: 'Zaproszenie wysyła {inviter}.',
    next: 'Aby rozpocząć, prosimy ustawić hasło.',
    button: 'Ustaw hasło',
    validity: 'Link działa jeden raz, w ciągu najbliższych 7 dni.',
    unexpected: 'Jeśli nie wiedzą Państwo, czego dotyczy ta wiadomość, prosimy ją zignorować.',
  },
};
