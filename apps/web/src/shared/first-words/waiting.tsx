import { useTranslation } from 'react-i18next';

export { wordsIn } from './words-in.tsx';

/** A link to it leads to the page where it stands. */
const THIS_PAGE = '';

/**
 * A way on for whoever waits in vain: scripts that do not come cannot say so themselves. Styles show it after a while; it
 * goes away when the application is there.
 */
export function Waiting() {
  const { t } = useTranslation('waiting');
  return (
    <>
      <p id="waiting" role="alert">
        {t('slow')} <a href={THIS_PAGE}>{t('again')}</a>
      </p>
      <noscript>
        <p>{t('noScript')}</p>
      </noscript>
    </>
  );
}
