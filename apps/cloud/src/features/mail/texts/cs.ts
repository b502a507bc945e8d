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
  secondFactor: {
    passkey_added: {
      subject: 'K vašemu účtu u {brand} byl přidán přístupový klíč',
      text: 'K vašemu účtu u {brand} byl přidán přístupový klíč „{name}“. Lze se s ním přihlásit.',
    },
    passkey_removed: {
      subject: 'Z vašeho účtu u {brand} byl odebrán přístupový klíč',
      text: 'Z vašeho účtu u {brand} byl odebrán přístupový klíč „{name}“. Už se s ním nelze přihlásit.',
    },
    app_added: {
      subject: 'K vašemu účtu u {brand} byla přidána ověřovací aplikace',
      text: 'K vašemu účtu u {brand} byla přidána ověřovací aplikace. Při přihlášení se nyní vyžaduje kód z ní.',
    },
    app_removed: {
      subject: 'Z vašeho účtu u {brand} byla odebrána ověřovací aplikace',
      text: 'Z vašeho účtu u {brand} byla odebrána ověřovací aplikace. Její kódy už neplatí.',
    },
    codes_made: {
      subject: 'Nové záložní kódy k vašemu účtu u {brand}',
      text: 'K vašemu účtu u {brand} byly vytvořeny nové záložní kódy. Starší kódy už neplatí.',
    },
    code_used: {
      subject: 'Byl použit záložní kód k vašemu účtu u {brand}',
      text: 'U vašeho účtu u {brand} byl místo druhého faktoru použit záložní kód. Zbývá nepoužitých kódů: {left}.',
    },
    reset: {
      subject: 'Druhý faktor vašeho účtu u {brand} byl zrušen',
      text: 'Provozovatel služby {brand} odebral všechny druhé faktory vašeho účtu a ukončil všechny relace. Dokud nenastavíte nový, stačí k přihlášení heslo.',
    },
    button: 'Zkontrolovat zabezpečení',
    unexpected:
      'Pokud jste to nebyli vy, ihned si změňte heslo, ukončete všechny ostatní relace a dejte nám vědět.',
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
  accountNotice: {
    time: 'Čas: {time}',
    address: 'Adresa: {address}',
  },
  passwordChanged: {
    subject: 'Heslo vašeho účtu {brand} bylo změněno',
    text: 'Pro váš účet {brand} bylo nastaveno nové heslo. Ostatní relace skončily; API tokeny zůstávají.',
    button: 'Zvolit jiné heslo',
    unexpected:
      'Pokud jste to nebyli vy, ihned zvolte jiné heslo, odvolejte API tokeny, které neznáte, a podívejte se na bezpečnostní aktivitu svého účtu.',
  },
  tokenCreated: {
    subject: 'Nový API token pro váš účet {brand}',
    text: 'Pro váš účet {brand} byl vytvořen API token „{name}“. Programy, které jej mají, používají API vaším jménem.',
    scopes: 'Smí: {scopes}.',
    button: 'Zkontrolovat API tokeny',
    unexpected: 'Pokud jste to nebyli vy, ihned token na té stránce odvolejte a změňte si heslo.',
  },
  unknownNetwork: {
    subject: 'Nové přihlášení k vašemu účtu {brand}',
    text: 'K vašemu účtu {brand} se někdo přihlásil ze sítě, ze které se v posledních 90 dnech nepoužíval.',
    button: 'Zkontrolovat, kde jste přihlášeni',
    unexpected: 'Pokud jste to nebyli vy, ukončete relaci na té stránce a ihned si změňte heslo.',
  },
  tokenScopes: {
    'sites:read_all': 'číst všechny elektrárny, které vidíte, a jejich aktuální hodnoty',
    'sites:write_all':
      'měnit nastavení tam, kde jste vlastník nebo správce; registrovat elektrárny; zvát, měnit a odebírat členy',
    'sites:recover_all': 'otevírat a zavírat relace podpory',
    'users:read_all': 'číst adresář lidí',
    'orders:read_all': 'číst objednávky',
    'orders:write_all': 'označovat objednávky jako zaplacené',
    'products:read_all': 'číst katalog',
    'tickets:read_all': 'číst požadavky na podporu',
    'tickets:write_all': 'odpovídat na požadavky na podporu a měnit je',
  },
  teamInvitation: {
    subject: '{brand} vás zve do svého týmu',
    text: '{brand} vás zve ke spolupráci ve svém týmu.',
    next: 'Přihlaste se a pozvání přijměte nebo odmítněte. Dokud ho nepřijmete, {brand} z vašeho účtu nic nevidí a vy nevidíte nic z jeho elektráren.',
    button: 'Zobrazit pozvání',
    validity: 'Pozvání lze přijmout během následujících 14 dnů.',
    unexpected: 'Pokud {brand} neznáte, pozvání odmítněte nebo tuto zprávu ignorujte.',
  },
  siteAccess: {
    subject: 'Získali jste přístup k {site}',
    by: 'Tento přístup vám udělil uživatel {actor}.',
    button: 'Otevřít elektrárnu',
    leave: 'Pokud o přístup nestojíte, otevřete seznam osob elektrárny a zvolte „Opustit“.',
    unexpected:
      'Pokud nevíte, kdo vám přístup udělil, elektrárnu opusťte: ostatní, kdo k ní mají přístup, vidí vaše jméno a e-mail.',
  },
  ownership: {
    subjectNew: 'Nyní jste vlastníkem {site}',
    textNew:
      'Solární elektrárna {site} byla předána vám. Rozhodujete, kdo k ní má přístup, a můžete měnit její nastavení.',
    subjectFormer: '{site} má nového vlastníka',
    textFormer: 'Solární elektrárna {site} byla předána uživateli {owner}. Nyní jste jejím správcem.',
    by: 'Provedl(a) {actor} dne {time}.',
    button: 'Otevřít elektrárnu',
    unexpectedNew:
      'Pokud jste to nečekali, vraťte elektrárnu bývalému vlastníkovi, který je stále jejím správcem.',
    unexpectedFormer:
      'Pokud jste to nebyli vy, ihned si změňte heslo a požádejte provozovatele služby o zrušení předání.',
  },
};
