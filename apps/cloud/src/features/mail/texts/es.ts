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
};
