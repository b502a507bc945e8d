import { useTranslation } from 'react-i18next';

/** An empty `href` leads to the current page. */
const THIS_PAGE = '';

/**
 * Offers to load the page again: scripts that fail to load cannot do so themselves. Styles show it after 2.5 seconds; the
 * application removes it. `old-browser.js` shows the sentence for old browsers.
 */
export function SlowLoadNotice() {
  const { t } = useTranslation('waiting');
  return (
    <>
      <p id="slow-load" role="alert">
        {t('slow')} <a href={THIS_PAGE}>{t('again')}</a>
      </p>
      <p id="old-browser" role="alert" hidden>
        {t('tooOld')}
      </p>
      <noscript>
        <p>{t('noScript')}</p>
      </noscript>
    </>
  );
}
