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
  secondFactor: {
    passkey_added: {
      subject: 'Foi adicionada uma chave de acesso à sua conta em {brand}',
      text: 'A chave de acesso «{name}» foi adicionada à sua conta em {brand}. Pode ser usada para iniciar sessão.',
    },
    passkey_removed: {
      subject: 'Foi removida uma chave de acesso da sua conta em {brand}',
      text: 'A chave de acesso «{name}» foi removida da sua conta em {brand}. Já não pode ser usada para iniciar sessão.',
    },
    app_added: {
      subject: 'Foi adicionada uma aplicação de autenticação à sua conta em {brand}',
      text: 'Foi adicionada uma aplicação de autenticação à sua conta em {brand}. O início de sessão pede agora um código dessa aplicação.',
    },
    app_removed: {
      subject: 'A aplicação de autenticação foi removida da sua conta em {brand}',
      text: 'A aplicação de autenticação foi removida da sua conta em {brand}. Os seus códigos já não são aceites.',
    },
    codes_made: {
      subject: 'Novos códigos de recuperação para a sua conta em {brand}',
      text: 'Foram criados novos códigos de recuperação para a sua conta em {brand}. Os anteriores deixaram de funcionar.',
    },
    code_used: {
      subject: 'Foi usado um código de recuperação na sua conta em {brand}',
      text: 'Foi usado um código de recuperação em vez do segundo fator da sua conta em {brand}. Códigos por usar: {left}.',
    },
    reset: {
      subject: 'O segundo fator da sua conta em {brand} foi reposto',
      text: 'O operador de {brand} removeu todos os segundos fatores da sua conta e terminou todas as sessões. Até configurar outro, basta a palavra-passe para iniciar sessão.',
    },
    button: 'Rever a segurança',
    unexpected:
      'Se não foi você, altere de imediato a sua palavra-passe, termine todas as outras sessões e avise-nos.',
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
  accountNotice: {
    time: 'Hora: {time}',
    address: 'Endereço: {address}',
  },
  passwordChanged: {
    subject: 'A palavra-passe da sua conta {brand} foi alterada',
    text: 'Foi definida uma nova palavra-passe para a sua conta {brand}. As outras sessões terminaram; os tokens de API mantêm-se.',
    button: 'Escolher outra palavra-passe',
    unexpected:
      'Se não foi você, escolha de imediato outra palavra-passe, revogue os tokens de API que não conhece e consulte a atividade de segurança da sua conta.',
  },
  tokenCreated: {
    subject: 'Novo token de API para a sua conta {brand}',
    text: 'Foi criado o token de API “{name}” para a sua conta {brand}. Os programas que o têm usam a API em seu nome.',
    scopes: 'Pode: {scopes}.',
    button: 'Rever os tokens de API',
    unexpected: 'Se não foi você, revogue de imediato o token nessa página e altere a sua palavra-passe.',
  },
  unknownNetwork: {
    subject: 'Novo início de sessão na sua conta {brand}',
    text: 'Foi iniciada sessão na sua conta {brand} a partir de uma rede de onde não tinha sido usada nos últimos 90 dias.',
    button: 'Rever onde tem sessão iniciada',
    unexpected: 'Se não foi você, termine a sessão nessa página e altere de imediato a sua palavra-passe.',
  },
  tokenScopes: {
    'sites:read_all': 'ler todas as instalações que vê e os respetivos valores em direto',
    'sites:write_all':
      'alterar definições onde é proprietário ou administrador; registar instalações; convidar, alterar e remover membros',
    'sites:recover_all': 'abrir e fechar sessões de suporte',
    'users:read_all': 'ler o diretório de pessoas',
    'orders:read_all': 'ler encomendas',
    'orders:write_all': 'marcar encomendas como pagas',
    'products:read_all': 'ler o catálogo',
    'tickets:read_all': 'ler pedidos de suporte',
    'tickets:write_all': 'responder a pedidos de suporte e alterá-los',
  },
  teamInvitation: {
    subject: '{brand} convida-o para a sua equipa',
    text: '{brand} convida-o a trabalhar com a sua equipa.',
    next: 'Inicie sessão para aceitar ou recusar. Até aceitar, {brand} não vê nada da sua conta, nem a sua conta vê as instalações da equipa.',
    button: 'Ver o convite',
    validity: 'O convite pode ser aceite nos próximos 14 dias.',
    unexpected: 'Se não conhece {brand}, recuse o convite ou ignore esta mensagem.',
  },
  siteAccess: {
    subject: 'Recebeu acesso a {site}',
    by: '{actor} deu-lhe este acesso.',
    button: 'Abrir a instalação',
    leave: 'Se não quer este acesso, abra as pessoas da instalação e escolha «Sair».',
    unexpected:
      'Se não sabe quem lhe deu acesso, saia da instalação: as outras pessoas com acesso veem o seu nome e o seu e-mail.',
  },
  ownership: {
    subjectNew: 'É agora proprietário de {site}',
    textNew:
      'A instalação solar {site} foi-lhe transferida. Decide quem tem acesso e pode alterar as definições.',
    subjectFormer: '{site} tem um novo proprietário',
    textFormer:
      'A instalação solar {site} foi transferida para {owner}. É agora administrador da instalação.',
    by: 'Feito por {actor} em {time}.',
    button: 'Abrir a instalação',
    unexpectedNew:
      'Se não esperava isto, devolva a instalação ao anterior proprietário, que continua a ser administrador.',
    unexpectedFormer:
      'Se não foi você, altere já a sua palavra-passe e peça ao operador do serviço que anule a transferência.',
  },
};
