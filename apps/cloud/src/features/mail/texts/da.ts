import type { MailTexts } from './mail-texts.ts';

export const da: MailTexts = {
  greeting: 'Hej {name}',
  greetingWithoutName: 'Hej',
  linkHint: 'Hvis knappen ikke virker, kan du åbne denne adresse i din browser:',
  sentBy: 'Denne besked er sendt automatisk af {brand}.',
  confirmation: {
    subject: 'Bekræft din e-mailadresse hos {brand}',
    text: 'Tak for din registrering hos {brand}. Bekræft venligst din e-mailadresse for at gøre din konto klar.',
    button: 'Bekræft e-mailadresse',
    validity: 'Linket virker én gang inden for de næste 24 timer.',
    unexpected: 'Hvis du ikke har registreret dig, kan du se bort fra denne besked.',
  },
  reset: {
    subject: 'Vælg en ny adgangskode til {brand}',
    text: 'Vi har modtaget en anmodning om at nulstille adgangskoden til din konto hos {brand}.',
    button: 'Vælg en ny adgangskode',
    validity: 'Linket virker én gang inden for de næste 2 timer.',
    unexpected:
      'Hvis du ikke har bedt om det, skal du bare se bort fra denne besked: Din adgangskode forbliver uændret.',
  },
  secondFactor: {
    passkey_added: {
      subject: 'En adgangsnøgle er føjet til din konto hos {brand}',
      text: 'Adgangsnøglen “{name}” er føjet til din konto hos {brand}. Den kan bruges til at logge ind.',
    },
    passkey_removed: {
      subject: 'En adgangsnøgle er fjernet fra din konto hos {brand}',
      text: 'Adgangsnøglen “{name}” er fjernet fra din konto hos {brand}. Den kan ikke længere bruges til at logge ind.',
    },
    app_added: {
      subject: 'En godkendelsesapp er føjet til din konto hos {brand}',
      text: 'En godkendelsesapp er føjet til din konto hos {brand}. Ved login kræves der nu en kode fra den.',
    },
    app_removed: {
      subject: 'Godkendelsesappen er fjernet fra din konto hos {brand}',
      text: 'Godkendelsesappen er fjernet fra din konto hos {brand}. Dens koder gælder ikke længere.',
    },
    codes_made: {
      subject: 'Nye gendannelseskoder til din konto hos {brand}',
      text: 'Der er lavet nye gendannelseskoder til din konto hos {brand}. Ældre koder virker ikke længere.',
    },
    code_used: {
      subject: 'En gendannelseskode er brugt til din konto hos {brand}',
      text: 'En gendannelseskode er brugt i stedet for den anden faktor til din konto hos {brand}. Ubrugte koder tilbage: {left}.',
    },
    reset: {
      subject: 'Den anden faktor for din konto hos {brand} er nulstillet',
      text: 'Operatøren af {brand} har fjernet alle andre faktorer fra din konto og afsluttet alle sessioner. Indtil du opsætter en ny, er adgangskoden nok til at logge ind.',
    },
    button: 'Gennemgå sikkerhedsindstillinger',
    unexpected:
      'Hvis det ikke var dig, så skift straks din adgangskode, afslut alle andre sessioner, og giv os besked.',
  },
  invitation: {
    subject: 'Du er inviteret til {brand}',
    toSite: 'Du har fået adgang til solcelleanlægget {site} hos {brand}.',
    toTeam: 'Du er inviteret til at blive en del af teamet hos {brand}.',
    toAccount: 'Der er oprettet en konto til dig hos {brand}.',
    from: 'Invitationen kommer fra {inviter}.',
    next: 'Vælg venligst en adgangskode for at komme i gang.',
    button: 'Vælg en adgangskode',
    validity: 'Linket virker én gang inden for de næste 7 dage.',
    unexpected: 'Hvis du ikke ved, hvad det drejer sig om, kan du se bort fra denne besked.',
  },
  accountNotice: {
    time: 'Tidspunkt: {time}',
    address: 'Adresse: {address}',
  },
  passwordChanged: {
    subject: 'Adgangskoden til din konto hos {brand} er ændret',
    text: 'Der er valgt en ny adgangskode til din konto hos {brand}. Andre sessioner er afsluttet; API-tokens består.',
    button: 'Vælg en anden adgangskode',
    unexpected:
      'Hvis det ikke var dig, så vælg straks en anden adgangskode, tilbagekald API-tokens, du ikke kender, og se på din kontos sikkerhedsaktivitet.',
  },
  tokenCreated: {
    subject: 'Nyt API-token til din konto hos {brand}',
    text: 'API-tokenet “{name}” er oprettet til din konto hos {brand}. Programmer, der har det, bruger API’et på dine vegne.',
    scopes: 'Det må: {scopes}.',
    button: 'Se API-tokens',
    unexpected: 'Hvis det ikke var dig, så tilbagekald straks tokenet på den side, og skift din adgangskode.',
  },
  unknownNetwork: {
    subject: 'Nyt login på din konto hos {brand}',
    text: 'Der er logget ind på din konto hos {brand} fra et netværk, som den ikke er brugt fra de seneste 90 dage.',
    button: 'Se, hvor du er logget ind',
    unexpected: 'Hvis det ikke var dig, så afslut sessionen på den side, og skift straks din adgangskode.',
  },
  tokenScopes: {
    'sites:read_all': 'læse alle anlæg, som du kan se, og deres aktuelle værdier',
    'sites:write_all':
      'ændre indstillinger, hvor du er ejer eller administrator; registrere anlæg; invitere, ændre og fjerne medlemmer',
    'sites:recover_all': 'åbne og lukke supportsessioner',
    'users:read_all': 'læse fortegnelsen over personer',
    'orders:read_all': 'læse ordrer',
    'orders:write_all': 'markere ordrer som betalt',
    'products:read_all': 'læse produktkataloget',
    'tickets:read_all': 'læse supportsager',
    'tickets:write_all': 'besvare og ændre supportsager',
  },
  teamInvitation: {
    subject: '{brand} inviterer dig til sit team',
    text: '{brand} inviterer dig til at arbejde med i sit team.',
    next: 'Log ind for at acceptere eller afslå. Indtil du accepterer, ser {brand} intet af din konto, og du ser intet af deres anlæg.',
    button: 'Se invitationen',
    validity: 'Invitationen kan accepteres inden for de næste 14 dage.',
    unexpected: 'Hvis du ikke kender {brand}, så afslå invitationen eller ignorer denne besked.',
  },
  siteAccess: {
    subject: 'Du har fået adgang til {site}',
    by: '{actor} gav dig denne adgang.',
    button: 'Åbn anlægget',
    leave: 'Hvis du ikke ønsker denne adgang, så åbn anlæggets personer og vælg »Forlad«.',
    unexpected:
      'Hvis du ikke ved, hvem der gav dig adgang, så forlad anlægget: andre med adgang ser dit navn og din e-mailadresse.',
  },
  ownership: {
    subjectNew: 'Du er nu ejer af {site}',
    textNew:
      'Solcelleanlægget {site} er overdraget til dig. Du bestemmer, hvem der har adgang, og kan ændre indstillingerne.',
    subjectFormer: '{site} har fået en ny ejer',
    textFormer: 'Solcelleanlægget {site} er overdraget til {owner}. Du er nu administrator af anlægget.',
    by: '{actor} gjorde dette den {time}.',
    button: 'Åbn anlægget',
    unexpectedNew:
      'Hvis du ikke ventede dette, så giv anlægget tilbage til den tidligere ejer, som stadig er administrator.',
    unexpectedFormer:
      'Hvis det ikke var dig, så skift straks din adgangskode, og bed tjenestens operatør om at fortryde overdragelsen.',
  },
};
