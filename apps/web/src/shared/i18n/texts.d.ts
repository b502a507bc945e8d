import 'i18next';
import type en from '@heliograph/locales/en.json';

/** The compiler checks every key against the English texts; tests compare the other languages with these. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shared';
    resources: Omit<typeof en, 'mail'>;
  }
}
