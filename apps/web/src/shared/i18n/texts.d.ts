import 'i18next';
import type account from '../../locales/en/account.json';
import type configuration from '../../locales/en/configuration.json';
import type consent from '../../locales/en/consent.json';
import type device from '../../locales/en/device.json';
import type entry from '../../locales/en/entry.json';
import type operator from '../../locales/en/operator.json';
import type organization from '../../locales/en/organization.json';
import type portal from '../../locales/en/portal.json';
import type security from '../../locales/en/security.json';
import type settings from '../../locales/en/settings.json';
import type shared from '../../locales/en/shared.json';
import type site from '../../locales/en/site.json';
import type sites from '../../locales/en/sites.json';
import type waiting from '../../locales/en/waiting.json';

/** Every key is checked against the English texts; the other languages have the same keys. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shared';
    resources: {
      account: typeof account;
      configuration: typeof configuration;
      consent: typeof consent;
      device: typeof device;
      entry: typeof entry;
      operator: typeof operator;
      organization: typeof organization;
      portal: typeof portal;
      security: typeof security;
      settings: typeof settings;
      shared: typeof shared;
      site: typeof site;
      sites: typeof sites;
      waiting: typeof waiting;
    };
  }
}
