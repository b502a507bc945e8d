import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';

/** From a page of its own back to the configuration that it belongs to. */
export function BackToConfiguration() {
  const { t } = useTranslation('configuration');
  return (
    <Anchor component={Link} href="/configuration" style={{ alignSelf: 'flex-start' }}>
      {t('configuration.back')}
    </Anchor>
  );
}
