import type { SiteUpdates } from '@heliograph/contracts';
import { Button, Checkbox, NativeSelect, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../../shared/components/card/card.tsx';
import { FormError } from '../../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../../shared/components/form/use-submit.ts';
import { cloud } from '../../../session/cloud.ts';
import { siteQuery } from '../queries.ts';
import { useSite } from '../site-context.tsx';

/** The releases that the site's device takes, and whether it does so without a request. */
export function UpdatesCard() {
  const { t } = useTranslation('siteDevice');
  const queries = useQueryClient();
  const { site } = useSite();
  const [channel, setChannel] = useState<SiteUpdates['channel']>(site.updates.channel);
  const [automatic, setAutomatic] = useState(site.updates.automatic);
  const { submit, isPending, error } = useSubmit(async () => {
    await cloud.setSiteUpdates({ id: site.id, channel, automatic });
    await queries.invalidateQueries({ queryKey: siteQuery(site.id).queryKey, exact: true });
  });
  const isSaved = channel === site.updates.channel && automatic === site.updates.automatic;
  return (
    <Card title={t('updates.title')}>
      <Stack
        component="form"
        gap="md"
        align="start"
        onSubmit={(event) => {
          event.preventDefault();
          submit(undefined);
        }}
      >
        <FormError error={error} />
        <NativeSelect
          label={t('device.releases', { ns: 'sites' })}
          value={channel}
          onChange={(event) => setChannel(event.currentTarget.value === 'beta' ? 'beta' : 'stable')}
          data={[
            { value: 'stable', label: t('device.stable', { ns: 'sites' }) },
            { value: 'beta', label: t('device.beta', { ns: 'sites' }) },
          ]}
        />
        <Checkbox
          label={t('updates.automatic')}
          checked={automatic}
          onChange={(event) => setAutomatic(event.currentTarget.checked)}
        />
        <Text size="sm" c="dimmed">
          {t('updates.hint')}
        </Text>
        <Button type="submit" variant="default" loading={isPending} disabled={isSaved}>
          {t('updates.save')}
        </Button>
      </Stack>
    </Card>
  );
}
