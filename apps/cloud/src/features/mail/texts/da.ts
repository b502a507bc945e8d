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
};
