import type { MailTexts } from './mail-texts.ts';

export const pt: MailTexts = {
  greeting: 'Olá, {name},',
  greetingWithoutName: 'Olá,',
  linkHint: 'Se o botão não funcionar, abra este endereço no seu navegador:',
  sentBy: 'Esta mensagem foi enviada automaticamente por {brand}.',
  confirmation: {
    subject: 'Confirme o seu endereço de e-mail para {brand}',
    text: 'Obrigado por se registar em {brand}. Confirme o seu endereço de e-mail para concluir a configuração da sua conta.',
    button: 'Confirmar endereço de e-mail',
    validity: 'A ligação funciona uma única vez, nas próximas 24 horas.',
    unexpected: 'Se não se registou, pode ignorar esta mensagem.',
  },
  reset: {
    subject: 'Escolha uma nova palavra-passe para {brand}',
    text: 'Recebemos um pedido para repor a palavra-passe da sua conta em {brand}.',
    button: 'Escolher uma nova palavra-passe',
    validity: 'A ligação funciona uma única vez, nas próximas 2 horas.',
    unexpected: 'Se não fez este pedido, ignore esta mensagem: a sua palavra-passe permanece inalterada.',
  },
  invitation: {
    subject: 'Convite para {brand}',
    toSite: 'Foi-lhe dado acesso à instalação solar {site} em {brand}.',
    toTeam: 'Recebeu um convite para se juntar à equipa de {brand}.',
    toAccount: 'Foi criada uma conta para si em {brand}.',
    from: 'O convite foi enviado por {inviter}.',
    next: 'Para começar, escolha uma palavra-passe.',
    button: 'Escolher uma palavra-passe',
    validity: 'A ligação funciona uma única vez, nos próximos 7 dias.',
    unexpected: 'Se não sabe do que se trata, pode ignorar esta mensagem.',
  },
};
