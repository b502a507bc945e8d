import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { TopicHistory } from '../../shared/history/topic-history.tsx';

export function Page() {
  const { t } = useTranslation('history');
  const { t: ofMetrics } = useTranslation('metrics');
  return (
    <>
      <TopicHistory head={<PageTitle text={t('title')} />} />
      <p>
        <Link href="/values">{ofMetrics('title')}</Link>
      </p>
    </>
  );
}
