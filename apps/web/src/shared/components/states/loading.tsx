import { Center, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Something is on its way; screen readers are told, too. */
export function Loading() {
  const { t } = useTranslation();
  return (
    <Center mih="12rem" role="status" aria-label={t('loading')}>
      <Loader type="dots" />
    </Center>
  );
}
