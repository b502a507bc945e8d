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
};
