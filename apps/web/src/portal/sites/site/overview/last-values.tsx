import { useTranslation } from 'react-i18next';
import { Card } from '../../../../shared/components/card/card.tsx';
import { useSite } from '../site-context.tsx';
import { headlineOfNewest } from './headline.ts';
import { HeadlineList } from './headline-list.tsx';
import { KeptAge } from './kept-age.tsx';

/** The values that the cloud received last of a site that is offline. */
export function LastValues() {
  const { t } = useTranslation('siteDevice');
  const { newest_values: newest } = useSite().site;
  if (newest === null) return null;
  return (
    <Card title={t('history.last')}>
      <HeadlineList headline={headlineOfNewest(newest)} isOld />
      <KeptAge />
    </Card>
  );
}
