import type { MailTexts } from './mail-texts.ts';

export const de: MailTexts = {
  greeting: 'Guten Tag {name},',
  greetingWithoutName: 'Guten Tag,',
  linkHint: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse in Ihrem Browser:',
  sentBy: 'Diese Nachricht wurde automatisch von {brand} versendet.',
  confirmation: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse für {brand}',
    text: 'Vielen Dank für Ihre Registrierung bei {brand}. Bitte bestätigen Sie Ihre E-Mail-Adresse, um die Einrichtung Ihres Kontos abzuschließen.',
    button: 'E-Mail-Adresse bestätigen',
    validity: 'Der Link funktioniert einmal, innerhalb der nächsten 24 Stunden.',
    unexpected: 'Falls Sie sich nicht registriert haben, können Sie diese Nachricht ignorieren.',
  },
  reset: {
    subject: 'Wählen Sie ein neues Passwort für {brand}',
    text: 'Wir haben eine Anfrage erhalten, das Passwort Ihres Kontos bei {brand} zurückzusetzen.',
    button: 'Neues Passwort wählen',
    validity: 'Der Link funktioniert einmal, innerhalb der nächsten 2 Stunden.',
    unexpected:
      'Falls Sie das nicht angefordert haben, ignorieren Sie diese Nachricht: Ihr Passwort bleibt unverändert.',
  },
  secondFactor: {
    passkey_added: {
      subject: 'Ein Passkey wurde zu Ihrem Konto bei {brand} hinzugefügt',
      text: 'Der Passkey „{name}“ wurde zu Ihrem Konto bei {brand} hinzugefügt. Damit kann man sich anmelden.',
    },
    passkey_removed: {
      subject: 'Ein Passkey wurde aus Ihrem Konto bei {brand} entfernt',
      text: 'Der Passkey „{name}“ wurde aus Ihrem Konto bei {brand} entfernt. Damit kann man sich nicht mehr anmelden.',
    },
    app_added: {
      subject: 'Eine Authentifizierungs-App wurde zu Ihrem Konto bei {brand} hinzugefügt',
      text: 'Eine Authentifizierungs-App wurde zu Ihrem Konto bei {brand} hinzugefügt. Beim Anmelden wird nun ein Code daraus verlangt.',
    },
    app_removed: {
      subject: 'Die Authentifizierungs-App wurde aus Ihrem Konto bei {brand} entfernt',
      text: 'Die Authentifizierungs-App wurde aus Ihrem Konto bei {brand} entfernt. Ihre Codes gelten nicht mehr.',
    },
    codes_made: {
      subject: 'Neue Wiederherstellungscodes für Ihr Konto bei {brand}',
      text: 'Für Ihr Konto bei {brand} wurden neue Wiederherstellungscodes erstellt. Ältere Codes gelten nicht mehr.',
    },
    code_used: {
      subject: 'Ein Wiederherstellungscode für Ihr Konto bei {brand} wurde verwendet',
      text: 'Bei Ihrem Konto bei {brand} wurde ein Wiederherstellungscode anstelle des zweiten Faktors verwendet. Noch unbenutzte Codes: {left}.',
    },
    reset: {
      subject: 'Der zweite Faktor Ihres Kontos bei {brand} wurde zurückgesetzt',
      text: 'Der Betreiber von {brand} hat alle zweiten Faktoren Ihres Kontos entfernt und alle Sitzungen beendet. Bis Sie einen neuen einrichten, genügt das Passwort zum Anmelden.',
    },
    button: 'Sicherheitseinstellungen prüfen',
    unexpected:
      'Falls Sie das nicht waren, ändern Sie sofort Ihr Passwort, beenden Sie alle anderen Sitzungen und benachrichtigen Sie uns.',
  },
  invitation: {
    subject: 'Einladung zu {brand}',
    toSite: 'Sie haben Zugriff auf die Solaranlage {site} bei {brand} erhalten.',
    toTeam: 'Sie wurden in das Team von {brand} eingeladen.',
    toAccount: 'Für Sie wurde ein Konto bei {brand} angelegt.',
    from: 'Die Einladung kommt von {inviter}.',
    next: 'Bitte wählen Sie zunächst ein Passwort.',
    button: 'Passwort wählen',
    validity: 'Der Link funktioniert einmal, innerhalb der nächsten 7 Tage.',
    unexpected: 'Falls Sie nicht wissen, worum es geht, können Sie diese Nachricht ignorieren.',
  },
  accountNotice: {
    time: 'Zeit: {time}',
    address: 'Adresse: {address}',
  },
  passwordChanged: {
    subject: 'Das Passwort Ihres Kontos bei {brand} wurde geändert',
    text: 'Für Ihr Konto bei {brand} wurde ein neues Passwort gesetzt. Andere Sitzungen sind beendet; API-Token bleiben.',
    button: 'Anderes Passwort wählen',
    unexpected:
      'Falls Sie das nicht waren, wählen Sie sofort ein anderes Passwort, widerrufen Sie unbekannte API-Token und sehen Sie sich die Sicherheitsaktivität Ihres Kontos an.',
  },
  tokenCreated: {
    subject: 'Neues API-Token für Ihr Konto bei {brand}',
    text: 'Das API-Token „{name}“ wurde für Ihr Konto bei {brand} erstellt. Programme, die es haben, nutzen die API in Ihrem Namen.',
    scopes: 'Es darf: {scopes}.',
    button: 'API-Token ansehen',
    unexpected:
      'Falls Sie das nicht waren, widerrufen Sie das Token sofort auf dieser Seite und ändern Sie Ihr Passwort.',
  },
  unknownNetwork: {
    subject: 'Neue Anmeldung bei Ihrem Konto bei {brand}',
    text: 'Bei Ihrem Konto bei {brand} gab es eine Anmeldung aus einem Netzwerk, aus dem es in den letzten 90 Tagen nicht genutzt wurde.',
    button: 'Ansehen, wo Sie angemeldet sind',
    unexpected:
      'Falls Sie das nicht waren, beenden Sie die Sitzung auf dieser Seite und ändern Sie sofort Ihr Passwort.',
  },
  tokenScopes: {
    'sites:read_all': 'Alle Anlagen lesen, die Sie sehen, samt Live-Werten',
    'sites:write_all':
      'Einstellungen ändern, wo Sie Eigentümer oder Administrator sind; Anlagen registrieren; Mitglieder einladen, ändern und entfernen',
    'sites:recover_all': 'Support-Sitzungen öffnen und schließen',
    'users:read_all': 'Das Personenverzeichnis lesen',
    'orders:read_all': 'Bestellungen lesen',
    'orders:write_all': 'Bestellungen als bezahlt markieren',
    'products:read_all': 'Den Katalog lesen',
    'tickets:read_all': 'Support-Tickets lesen',
    'tickets:write_all': 'Support-Tickets beantworten und ändern',
  },
  teamInvitation: {
    subject: '{brand} lädt Sie in sein Team ein',
    text: '{brand} lädt Sie ein, in seinem Team mitzuarbeiten.',
    next: 'Melden Sie sich an, um anzunehmen oder abzulehnen. Bis Sie annehmen, sieht {brand} nichts von Ihrem Konto und Sie nichts von dessen Anlagen.',
    button: 'Einladung ansehen',
    validity: 'Die Einladung kann innerhalb der nächsten 14 Tage angenommen werden.',
    unexpected:
      'Falls Sie {brand} nicht kennen, lehnen Sie die Einladung ab oder ignorieren Sie diese Nachricht.',
  },
  siteAccess: {
    subject: 'Sie haben Zugriff auf {site} erhalten',
    by: 'Diesen Zugriff hat Ihnen {actor} gegeben.',
    button: 'Anlage öffnen',
    leave:
      'Falls Sie diesen Zugriff nicht möchten, öffnen Sie die Personen der Anlage und wählen Sie „Verlassen“.',
    unexpected:
      'Falls Sie nicht wissen, von wem der Zugriff kommt, verlassen Sie die Anlage: Andere mit Zugriff sehen Ihren Namen und Ihre E-Mail-Adresse.',
  },
  ownership: {
    subjectNew: 'Ihnen gehört jetzt {site}',
    textNew:
      'Die Solaranlage {site} wurde Ihnen übergeben. Sie entscheiden, wer darauf Zugriff hat, und können ihre Einstellungen ändern.',
    subjectFormer: '{site} hat einen neuen Eigentümer',
    textFormer: 'Die Solaranlage {site} wurde an {owner} übergeben. Sie sind jetzt Administrator der Anlage.',
    by: 'Das war {actor}, am {time}.',
    button: 'Anlage öffnen',
    unexpectedNew:
      'Falls Sie das nicht erwartet haben, geben Sie die Anlage dem früheren Eigentümer zurück, der noch ihr Administrator ist.',
    unexpectedFormer:
      'Falls Sie das nicht waren, ändern Sie sofort Ihr Passwort und bitten Sie den Betreiber des Dienstes, die Übergabe rückgängig zu machen.',
  },
};
