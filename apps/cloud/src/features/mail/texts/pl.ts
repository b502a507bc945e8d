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
  secondFactor: {
    passkey_added: {
      subject: 'Do konta w {brand} dodano klucz dostępu',
      text: 'Do Państwa konta w {brand} dodano klucz dostępu „{name}”. Można się nim zalogować.',
    },
    passkey_removed: {
      subject: 'Z konta w {brand} usunięto klucz dostępu',
      text: 'Z Państwa konta w {brand} usunięto klucz dostępu „{name}”. Nie można się już nim zalogować.',
    },
    app_added: {
      subject: 'Do konta w {brand} dodano aplikację uwierzytelniającą',
      text: 'Do Państwa konta w {brand} dodano aplikację uwierzytelniającą. Logowanie wymaga teraz kodu z tej aplikacji.',
    },
    app_removed: {
      subject: 'Z konta w {brand} usunięto aplikację uwierzytelniającą',
      text: 'Z Państwa konta w {brand} usunięto aplikację uwierzytelniającą. Jej kody nie są już przyjmowane.',
    },
    codes_made: {
      subject: 'Nowe kody odzyskiwania do konta w {brand}',
      text: 'Utworzono nowe kody odzyskiwania do Państwa konta w {brand}. Wcześniejsze kody już nie działają.',
    },
    code_used: {
      subject: 'Użyto kodu odzyskiwania do konta w {brand}',
      text: 'Do Państwa konta w {brand} użyto kodu odzyskiwania zamiast drugiego składnika. Pozostałe niewykorzystane kody: {left}.',
    },
    reset: {
      subject: 'Zresetowano drugi składnik konta w {brand}',
      text: 'Operator {brand} usunął wszystkie drugie składniki Państwa konta i zakończył wszystkie sesje. Do czasu ustawienia nowego do zalogowania wystarczy hasło.',
    },
    button: 'Sprawdź ustawienia zabezpieczeń',
    unexpected:
      'Jeśli to nie Państwa działanie, prosimy natychmiast zmienić hasło, zakończyć wszystkie inne sesje i nas powiadomić.',
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
  accountNotice: {
    time: 'Czas: {time}',
    address: 'Adres: {address}',
  },
  passwordChanged: {
    subject: 'Hasło Państwa konta {brand} zostało zmienione',
    text: 'Ustawiono nowe hasło do Państwa konta {brand}. Inne sesje zostały zakończone; tokeny API pozostają.',
    button: 'Wybierz inne hasło',
    unexpected:
      'Jeśli to nie Państwo, proszę natychmiast wybrać inne hasło, unieważnić nieznane tokeny API i sprawdzić aktywność bezpieczeństwa konta.',
  },
  tokenCreated: {
    subject: 'Nowy token API dla Państwa konta {brand}',
    text: 'Dla Państwa konta {brand} utworzono token API „{name}”. Programy, które go mają, korzystają z API w Państwa imieniu.',
    scopes: 'Pozwala na: {scopes}.',
    button: 'Sprawdź tokeny API',
    unexpected: 'Jeśli to nie Państwo, proszę natychmiast unieważnić token na tej stronie i zmienić hasło.',
  },
  unknownNetwork: {
    subject: 'Nowe logowanie do Państwa konta {brand}',
    text: 'Do Państwa konta {brand} zalogowano się z sieci, z której nie było używane przez ostatnie 90 dni.',
    button: 'Sprawdź, gdzie są Państwo zalogowani',
    unexpected: 'Jeśli to nie Państwo, proszę zakończyć sesję na tej stronie i natychmiast zmienić hasło.',
  },
  tokenScopes: {
    'sites:read_all': 'odczyt wszystkich instalacji, które Państwo widzą, i ich bieżących wartości',
    'sites:write_all':
      'zmiana ustawień tam, gdzie są Państwo właścicielem lub administratorem; rejestrowanie instalacji; zapraszanie, zmienianie i usuwanie członków',
    'sites:recover_all': 'otwieranie i zamykanie sesji wsparcia',
    'users:read_all': 'odczyt spisu osób',
    'orders:read_all': 'odczyt zamówień',
    'orders:write_all': 'oznaczanie zamówień jako opłaconych',
    'products:read_all': 'odczyt katalogu',
    'tickets:read_all': 'odczyt zgłoszeń do wsparcia',
    'tickets:write_all': 'odpowiadanie na zgłoszenia i ich zmiana',
  },
  teamInvitation: {
    subject: '{brand} zaprasza do swojego zespołu',
    text: '{brand} zaprasza Państwa do pracy w swoim zespole.',
    next: 'Prosimy się zalogować, aby przyjąć lub odrzucić zaproszenie. Do tego czasu {brand} nie widzi niczego z Państwa konta, a Państwo niczego z jej instalacji.',
    button: 'Zobacz zaproszenie',
    validity: 'Zaproszenie można przyjąć w ciągu najbliższych 14 dni.',
    unexpected: 'Jeśli nie znają Państwo {brand}, prosimy odrzucić zaproszenie lub zignorować tę wiadomość.',
  },
  siteAccess: {
    subject: 'Otrzymali Państwo dostęp do {site}',
    by: 'Dostępu udziela {actor}.',
    button: 'Otwórz instalację',
    leave: 'Jeśli nie chcą Państwo tego dostępu, prosimy otworzyć osoby instalacji i wybrać „Opuść”.',
    unexpected:
      'Jeśli nie wiedzą Państwo, kto udzielił dostępu, prosimy opuścić instalację: inne osoby z dostępem widzą Państwa imię, nazwisko i adres e-mail.',
  },
  ownership: {
    subjectNew: 'Są Państwo teraz właścicielem {site}',
    textNew:
      'Instalacja fotowoltaiczna {site} została Państwu przekazana. Decydują Państwo, kto ma dostęp, i mogą zmieniać jej ustawienia.',
    subjectFormer: '{site} ma nowego właściciela',
    textFormer:
      'Instalacja fotowoltaiczna {site} została przekazana: {owner}. Są Państwo teraz jej administratorem.',
    by: 'Zmiany dokonuje {actor}, {time}.',
    button: 'Otwórz instalację',
    unexpectedNew:
      'Jeśli nie spodziewali się Państwo tego, prosimy oddać instalację poprzedniemu właścicielowi, który nadal jest jej administratorem.',
    unexpectedFormer:
      'Jeśli to nie Państwo, prosimy natychmiast zmienić hasło i poprosić operatora usługi o cofnięcie przekazania.',
  },
};
