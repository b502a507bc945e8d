import type { MailTexts } from './mail-texts.ts';

export const cs: MailTexts = {
  greeting: 'Dobrý den, {name},',
  greetingWithoutName: 'Dobrý den,',
  linkHint: 'Pokud tlačítko nefunguje, otevřete v prohlížeči tuto adresu:',
  sentBy: 'Tuto zprávu automaticky odeslala služba {brand}.',
  confirmation: {
    subject: 'Potvrďte svou e-mailovou adresu pro {brand}',
    text: 'Děkujeme za registraci u {brand}. Potvrďte prosím svou e-mailovou adresu, aby bylo možné dokončit nastavení Vašeho účtu.',
    button: 'Potvrdit e-mailovou adresu',
    validity: 'Odkaz lze použít jednou, během následujících 24 hodin.',
    unexpected: 'Pokud jste se neregistrovali, můžete tuto zprávu ignorovat.',
  },
  reset: {
    subject: 'Zvolte si nové heslo pro {brand}',
    text: 'Obdrželi jsme žádost o obnovení hesla k Vašemu účtu u {brand}.',
    button: 'Zvolit nové heslo',
    validity: 'Odkaz lze použít jednou, během následujících 2 hodin.',
    unexpected: 'Pokud jste o to nežádali, tuto zprávu ignorujte: Vaše heslo zůstane beze změny.',
  },
  invitation: {
    subject: 'Pozvánka do {brand}',
    toSite: 'Získali jste přístup k solární elektrárně {site} u {brand}.',
    toTeam: 'Byli jste pozváni do týmu {brand}.',
    toAccount: 'U {brand} Vám byl vytvořen účet.',
    from: 'Pozvánku posílá {inviter}.',
    next: 'Nejprve si prosím zvolte heslo.',
    button: 'Zvolit heslo',
    validity: 'Odkaz lze použít jednou, během následujících 7 dnů.',
    unexpected: 'Pokud nevíte, o co se jedná, můžete tuto zprávu ignorovat.',
  },
};
