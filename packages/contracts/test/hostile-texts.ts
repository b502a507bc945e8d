/** Texts that programs which show messages would make links, mentions or commands of, and the same in messages. */
export const HOSTILE_TEXTS: readonly (readonly [text: string, inMessages: string])[] = [
  ['https://evil.example/verify', 'https: / /evil. example/verify'],
  ['www.evil.example', 'www. evil. example'],
  ['mailto:a@b.example', 'mailto: a@ b. example'],
  ['@everyone and @admin', '@ everyone and @ admin'],
  ['/start now, (/stop)', '/ start now, (/ stop)'],
  ['#paid', '# paid'],
  ['http://192.168.1.1', 'http: / /192.168. 1. 1'],
  ['tg://resolve?domain=x', 'tg: / /resolve?domain=x'],
];
