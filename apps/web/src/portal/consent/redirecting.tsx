import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Loading } from '../../shared/components/states/loading.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';

/** While the browser goes on; an app may open, and this page stays behind. */
export function Redirecting({ application }: { readonly application: string }) {
  const { t } = useTranslation('consent');
  return (
    <>
      <PageTitle text={t('leaving.title', { application })} focusOnMount />
      <Text>{t('leaving.text')}</Text>
      <Loading />
    </>
  );
}
