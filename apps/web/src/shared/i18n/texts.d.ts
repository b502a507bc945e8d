import 'i18next';
import type shared from '../../locales/en/shared.json';

/** Every key that is asked for is checked against the English texts, of which the other languages have the same. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shared';
    resources: { shared: typeof shared };
  }
}
