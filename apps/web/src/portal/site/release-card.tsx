import { Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import { ConfirmedButton } from '../parts/confirmed-button.tsx';
import { cloud } from '../session/cloud.ts';
import { withFreshSignIn } from '../session/fresh-sign-in.ts';
import { SITE_LISTS_KEY } from './queries.ts';
import { useSite } from './site-context.tsx';

/** Ends the site, after a confirmation of the consequences. */
export function ReleaseCard() {
  const { t } = useTranslation('siteDevice');
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { site } = useSite();
  return (
    <Card title={t('release.title')}>
      <Stack gap="md" align="start">
        <Text>{t('release.text')}</Text>
        <Text>{t('release.code')}</Text>
        <ConfirmedButton
          label={t('release.button')}
          title={t('release.confirm')}
          act={() => withFreshSignIn(() => cloud.releaseSite({ id: site.id }))}
          onDone={() => {
            navigate('/sites');
            void queries.invalidateQueries({ queryKey: SITE_LISTS_KEY });
          }}
        >
          {t('release.text')} {t('release.code')}
        </ConfirmedButton>
      </Stack>
    </Card>
  );
}
