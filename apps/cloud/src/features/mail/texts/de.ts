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
};
