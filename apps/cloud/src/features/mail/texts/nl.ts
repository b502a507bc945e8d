import type { MailTexts } from './mail-texts.ts';

export const nl: MailTexts = {
  greeting: 'Beste {name},',
  greetingWithoutName: 'Beste gebruiker,',
  linkHint: 'Werkt de knop niet? Open dan dit adres in uw browser:',
  sentBy: 'Dit bericht is automatisch verzonden door {brand}.',
  confirmation: {
    subject: 'Bevestig uw e-mailadres voor {brand}',
    text: 'Bedankt voor uw registratie bij {brand}. Bevestig uw e-mailadres om uw account in gebruik te nemen.',
    button: 'E-mailadres bevestigen',
    validity: 'De link werkt één keer, binnen de komende 24 uur.',
    unexpected: 'Hebt u zich niet geregistreerd? Dan kunt u dit bericht negeren.',
  },
  reset: {
    subject: 'Kies een nieuw wachtwoord voor {brand}',
    text: 'We hebben een verzoek ontvangen om het wachtwoord van uw account bij {brand} opnieuw in te stellen.',
    button: 'Nieuw wachtwoord kiezen',
    validity: 'De link werkt één keer, binnen de komende 2 uur.',
    unexpected: 'Hebt u hier niet om gevraagd? Negeer dit bericht dan: uw wachtwoord blijft ongewijzigd.',
  },
  invitation: {
    subject: 'Uitnodiging voor {brand}',
    toSite: 'U hebt toegang gekregen tot de zonnepaneleninstallatie {site} bij {brand}.',
    toTeam: 'U bent uitgenodigd voor het team van {brand}.',
    toAccount: 'Er is een account voor u aangemaakt bij {brand}.',
    from: 'De uitnodiging komt van {inviter}.',
    next: 'Kies om te beginnen een wachtwoord.',
    button: 'Wachtwoord kiezen',
    validity: 'De link werkt één keer, binnen de komende 7 dagen.',
    unexpected: 'Weet u niet waar dit over gaat? Dan kunt u dit bericht negeren.',
  },
};
