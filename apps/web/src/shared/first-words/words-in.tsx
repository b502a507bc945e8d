import { createInstance } from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider, initReactI18next } from 'react-i18next';
import { LANGUAGES } from '../i18n/languages.ts';
import type { WordsIn } from './first-words.ts';

/** Runs where pages are built; in a browser the application takes the place of what it makes. */
export const wordsIn: WordsIn = async (locale, texts, { Words }) => {
  const { tag } = LANGUAGES[locale];
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({ lng: tag, resources: { [tag]: texts }, defaultNS: 'shared' });
  return renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <Words />
    </I18nextProvider>,
  );
};
