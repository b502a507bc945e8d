import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { TopicHistory } from '../../../../shared/history/topic-history.tsx';
import classes from '../overview/live-tab.module.css';
import { LiveTab } from '../overview/live-tab.tsx';
import { useSite } from '../site-context.tsx';

/** The past of anything that the device of the site measures; the metrics of the site lead here. */
export function Page() {
  const { t } = useTranslation('metrics');
  const { t: ofHistory } = useTranslation('history');
  const { site } = useSite();
  return (
    <LiveTab>
      <TopicHistory head={<h2 className={classes.heading}>{ofHistory('title')}</h2>} />
      <p>
        <Link href={`/sites/${site.id}/metrics`}>{t('title')}</Link>
      </p>
    </LiveTab>
  );
}
