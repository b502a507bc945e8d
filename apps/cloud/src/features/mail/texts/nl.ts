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
  secondFactor: {
    passkey_added: {
      subject: 'Er is een toegangssleutel aan uw account bij {brand} toegevoegd',
      text: 'De toegangssleutel ‘{name}’ is aan uw account bij {brand} toegevoegd. Daarmee kan worden ingelogd.',
    },
    passkey_removed: {
      subject: 'Er is een toegangssleutel uit uw account bij {brand} verwijderd',
      text: 'De toegangssleutel ‘{name}’ is uit uw account bij {brand} verwijderd. Daarmee kan niet meer worden ingelogd.',
    },
    app_added: {
      subject: 'Er is een authenticator-app aan uw account bij {brand} toegevoegd',
      text: 'Er is een authenticator-app aan uw account bij {brand} toegevoegd. Bij het inloggen wordt nu om een code daarvan gevraagd.',
    },
    app_removed: {
      subject: 'De authenticator-app is uit uw account bij {brand} verwijderd',
      text: 'De authenticator-app is uit uw account bij {brand} verwijderd. De codes ervan worden niet meer geaccepteerd.',
    },
    codes_made: {
      subject: 'Nieuwe herstelcodes voor uw account bij {brand}',
      text: 'Er zijn nieuwe herstelcodes voor uw account bij {brand} gemaakt. Oudere codes werken niet meer.',
    },
    code_used: {
      subject: 'Er is een herstelcode voor uw account bij {brand} gebruikt',
      text: 'Bij uw account bij {brand} is een herstelcode gebruikt in plaats van de tweede factor. Ongebruikte codes over: {left}.',
    },
    reset: {
      subject: 'De tweede factor van uw account bij {brand} is gereset',
      text: 'De beheerder van {brand} heeft alle tweede factoren van uw account verwijderd en alle sessies beëindigd. Totdat u een nieuwe instelt, volstaat het wachtwoord om in te loggen.',
    },
    button: 'Beveiliging controleren',
    unexpected:
      'Als u dit niet was, wijzig dan meteen uw wachtwoord, beëindig alle andere sessies en laat het ons weten.',
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
  accountNotice: {
    time: 'Tijd: {time}',
    address: 'Adres: {address}',
  },
  passwordChanged: {
    subject: 'Het wachtwoord van uw {brand}-account is gewijzigd',
    text: 'Er is een nieuw wachtwoord ingesteld voor uw {brand}-account. Andere sessies zijn beëindigd; API-tokens blijven.',
    button: 'Een ander wachtwoord kiezen',
    unexpected:
      'Was u dit niet, kies dan meteen een ander wachtwoord, trek API-tokens in die u niet kent en bekijk de beveiligingsactiviteit van uw account.',
  },
  tokenCreated: {
    subject: 'Nieuw API-token voor uw {brand}-account',
    text: 'Het API-token “{name}” is gemaakt voor uw {brand}-account. Programma’s die het hebben, gebruiken de API namens u.',
    scopes: 'Het mag: {scopes}.',
    button: 'API-tokens bekijken',
    unexpected: 'Was u dit niet, trek het token dan meteen in op die pagina en wijzig uw wachtwoord.',
  },
  unknownNetwork: {
    subject: 'Nieuwe aanmelding bij uw {brand}-account',
    text: 'Er is ingelogd op uw {brand}-account vanaf een netwerk waarvandaan het de afgelopen 90 dagen niet is gebruikt.',
    button: 'Bekijken waar u bent ingelogd',
    unexpected: 'Was u dit niet, beëindig dan de sessie op die pagina en wijzig meteen uw wachtwoord.',
  },
  tokenScopes: {
    'sites:read_all': 'alle installaties lezen die u ziet, met hun actuele waarden',
    'sites:write_all':
      'instellingen wijzigen waar u eigenaar of beheerder bent; installaties registreren; leden uitnodigen, wijzigen en verwijderen',
    'sites:recover_all': 'ondersteuningssessies openen en sluiten',
    'users:read_all': 'de lijst van personen lezen',
    'orders:read_all': 'bestellingen lezen',
    'orders:write_all': 'bestellingen als betaald markeren',
    'products:read_all': 'de catalogus lezen',
    'tickets:read_all': 'supporttickets lezen',
    'tickets:write_all': 'supporttickets beantwoorden en wijzigen',
  },
  teamInvitation: {
    subject: '{brand} nodigt u uit voor het team',
    text: '{brand} nodigt u uit om in het team mee te werken.',
    next: 'Meld u aan om te accepteren of te weigeren. Tot u accepteert, ziet {brand} niets van uw account en ziet u niets van de installaties.',
    button: 'Uitnodiging bekijken',
    validity: 'De uitnodiging kan binnen 14 dagen worden geaccepteerd.',
    unexpected: 'Als u {brand} niet kent, weiger dan de uitnodiging of negeer dit bericht.',
  },
  siteAccess: {
    subject: 'U hebt toegang tot {site} gekregen',
    by: '{actor} heeft u deze toegang gegeven.',
    button: 'Installatie openen',
    leave: 'Als u deze toegang niet wilt, open dan de personen van de installatie en kies ‘Verlaten’.',
    unexpected:
      'Als u niet weet wie u toegang heeft gegeven, verlaat dan de installatie: anderen met toegang zien uw naam en e-mailadres.',
  },
  ownership: {
    subjectNew: 'U bent nu eigenaar van {site}',
    textNew:
      'De zonne-installatie {site} is aan u overgedragen. U bepaalt wie toegang heeft en kunt de instellingen wijzigen.',
    subjectFormer: '{site} heeft een nieuwe eigenaar',
    textFormer:
      'De zonne-installatie {site} is overgedragen aan {owner}. U bent nu beheerder van de installatie.',
    by: '{actor} deed dit op {time}.',
    button: 'Installatie openen',
    unexpectedNew:
      'Als u dit niet verwachtte, geef de installatie dan terug aan de vorige eigenaar, die nog beheerder is.',
    unexpectedFormer:
      'Als u dit niet was, wijzig dan meteen uw wachtwoord en vraag de beheerder van de dienst de overdracht ongedaan te maken.',
  },
};
