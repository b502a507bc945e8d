import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { TopicHistory } from '../../shared/history/topic-history.tsx';

export function Page() {
  const { t } = useTranslation('site');
  return (
    <>
      <TopicHistory head={<PageTitle text={t('history.title')} />} />
      <p>
        <Link href="/values">{t('metrics.title')}</Link>
      </p>
    </>
  );
}
