import type { MailTexts } from './mail-texts.ts';

export const es: MailTexts = {
  greeting: 'Hola, {name}:',
  greetingWithoutName: 'Hola:',
  linkHint: 'Si el botón no funciona, abra esta dirección en su navegador:',
  sentBy: '{brand} ha enviado este mensaje automáticamente.',
  confirmation: {
    subject: 'Confirme su dirección de correo electrónico para {brand}',
    text: 'Gracias por registrarse en {brand}. Confirme su dirección de correo electrónico para terminar de configurar su cuenta.',
    button: 'Confirmar dirección de correo',
    validity: 'El enlace funciona una sola vez, durante las próximas 24 horas.',
    unexpected: 'Si no se ha registrado, puede ignorar este mensaje.',
  },
  reset: {
    subject: 'Elija una nueva contraseña para {brand}',
    text: 'Hemos recibido una solicitud para restablecer la contraseña de su cuenta de {brand}.',
    button: 'Elegir una nueva contraseña',
    validity: 'El enlace funciona una sola vez, durante las próximas 2 horas.',
    unexpected: 'Si no lo ha solicitado, ignore este mensaje: su contraseña seguirá siendo la misma.',
  },
  secondFactor: {
    passkey_added: {
      subject: 'Se ha añadido una llave de acceso a su cuenta de {brand}',
      text: 'Se ha añadido la llave de acceso «{name}» a su cuenta de {brand}. Sirve para iniciar sesión.',
    },
    passkey_removed: {
      subject: 'Se ha eliminado una llave de acceso de su cuenta de {brand}',
      text: 'Se ha eliminado la llave de acceso «{name}» de su cuenta de {brand}. Ya no sirve para iniciar sesión.',
    },
    app_added: {
      subject: 'Se ha añadido una aplicación de autenticación a su cuenta de {brand}',
      text: 'Se ha añadido una aplicación de autenticación a su cuenta de {brand}. Al iniciar sesión se pide ahora un código de ella.',
    },
    app_removed: {
      subject: 'Se ha eliminado la aplicación de autenticación de su cuenta de {brand}',
      text: 'Se ha eliminado la aplicación de autenticación de su cuenta de {brand}. Sus códigos ya no se aceptan.',
    },
    codes_made: {
      subject: 'Nuevos códigos de recuperación para su cuenta de {brand}',
      text: 'Se han creado nuevos códigos de recuperación para su cuenta de {brand}. Los anteriores ya no funcionan.',
    },
    code_used: {
      subject: 'Se ha usado un código de recuperación en su cuenta de {brand}',
      text: 'Se ha usado un código de recuperación en lugar del segundo factor de su cuenta de {brand}. Códigos sin usar que quedan: {left}.',
    },
    reset: {
      subject: 'Se ha restablecido el segundo factor de su cuenta de {brand}',
      text: 'El operador de {brand} ha eliminado todos los segundos factores de su cuenta y ha cerrado todas sus sesiones. Hasta que configure otro, basta la contraseña para iniciar sesión.',
    },
    button: 'Revisar la seguridad',
    unexpected:
      'Si no ha sido usted, cambie su contraseña de inmediato, cierre todas las demás sesiones y avísenos.',
  },
  invitation: {
    subject: 'Invitación a {brand}',
    toSite: 'Se le ha dado acceso a la instalación solar {site} en {brand}.',
    toTeam: 'Ha recibido una invitación para unirse al equipo de {brand}.',
    toAccount: 'Se ha creado una cuenta para usted en {brand}.',
    from: 'La invitación es de {inviter}.',
    next: 'Para empezar, elija una contraseña.',
    button: 'Elegir una contraseña',
    validity: 'El enlace funciona una sola vez, durante los próximos 7 días.',
    unexpected: 'Si no sabe de qué se trata, puede ignorar este mensaje.',
  },
  accountNotice: {
    time: 'Hora: {time}',
    address: 'Dirección: {address}',
  },
  passwordChanged: {
    subject: 'Se ha cambiado la contraseña de su cuenta de {brand}',
    text: 'Se ha establecido una contraseña nueva para su cuenta de {brand}. Las demás sesiones han terminado; los tokens de API permanecen.',
    button: 'Elegir otra contraseña',
    unexpected:
      'Si no ha sido usted, elija otra contraseña de inmediato, revoque los tokens de API que no conozca y consulte la actividad de seguridad de su cuenta.',
  },
  tokenCreated: {
    subject: 'Nuevo token de API para su cuenta de {brand}',
    text: 'Se ha creado el token de API «{name}» para su cuenta de {brand}. Los programas que lo tienen usan la API en su nombre.',
    scopes: 'Puede: {scopes}.',
    button: 'Revisar los tokens de API',
    unexpected: 'Si no ha sido usted, revoque de inmediato el token en esa página y cambie su contraseña.',
  },
  unknownNetwork: {
    subject: 'Nuevo inicio de sesión en su cuenta de {brand}',
    text: 'Se ha iniciado sesión en su cuenta de {brand} desde una red desde la que no se había usado en los últimos 90 días.',
    button: 'Revisar dónde ha iniciado sesión',
    unexpected: 'Si no ha sido usted, cierre la sesión en esa página y cambie su contraseña de inmediato.',
  },
  tokenScopes: {
    'sites:read_all': 'leer todas las instalaciones que usted ve y sus valores en directo',
    'sites:write_all':
      'cambiar ajustes donde usted es propietario o administrador; registrar instalaciones; invitar, cambiar y quitar miembros',
    'sites:recover_all': 'abrir y cerrar sesiones de soporte',
    'users:read_all': 'leer el directorio de personas',
    'orders:read_all': 'leer pedidos',
    'orders:write_all': 'marcar pedidos como pagados',
    'products:read_all': 'leer el catálogo',
    'tickets:read_all': 'leer solicitudes de soporte',
    'tickets:write_all': 'responder y cambiar solicitudes de soporte',
  },
  teamInvitation: {
    subject: '{brand} le invita a su equipo',
    text: '{brand} le invita a trabajar con su equipo.',
    next: 'Inicie sesión para aceptar o rechazar. Hasta que acepte, {brand} no ve nada de su cuenta y usted no ve nada de sus instalaciones.',
    button: 'Ver la invitación',
    validity: 'La invitación se puede aceptar en los próximos 14 días.',
    unexpected: 'Si no conoce {brand}, rechace la invitación o ignore este mensaje.',
  },
  siteAccess: {
    subject: 'Ahora tiene acceso a {site}',
    by: '{actor} le ha dado este acceso.',
    button: 'Abrir la instalación',
    leave: 'Si no desea este acceso, abra las personas de la instalación y elija «Abandonar».',
    unexpected:
      'Si no sabe quién le ha dado acceso, abandone la instalación: las demás personas con acceso ven su nombre y su correo electrónico.',
  },
  ownership: {
    subjectNew: 'Ahora es propietario de {site}',
    textNew:
      'La instalación solar {site} se le ha traspasado. Usted decide quién tiene acceso y puede cambiar sus ajustes.',
    subjectFormer: '{site} tiene un nuevo propietario',
    textFormer:
      'La instalación solar {site} se ha traspasado a {owner}. Ahora es administrador de la instalación.',
    by: 'Lo hizo {actor} el {time}.',
    button: 'Abrir la instalación',
    unexpectedNew:
      'Si no lo esperaba, devuelva la instalación al propietario anterior, que sigue siendo su administrador.',
    unexpectedFormer:
      'Si no ha sido usted, cambie su contraseña de inmediato y pida al operador del servicio que deshaga el traspaso.',
  },
};
