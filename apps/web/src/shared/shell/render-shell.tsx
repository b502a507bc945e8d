import { tagOf } from '@heliograph/contracts/locales';
import { createInstance } from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider, initReactI18next } from 'react-i18next';
import type { RenderShell } from './prerendered-shell.ts';

/** Runs at build time; in a browser the application replaces the HTML. */
export const renderShell: RenderShell = async (locale, texts, Shell) => {
  const tag = tagOf(locale);
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({ lng: tag, resources: { [tag]: texts }, defaultNS: 'shared' });
  return renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <Shell />
    </I18nextProvider>,
  );
};
