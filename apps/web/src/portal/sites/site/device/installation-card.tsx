import { Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../../shared/components/card/card.tsx';
import { FormError } from '../../../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../../../shared/components/form/use-api-form.ts';
import { cloud } from '../../../session/cloud.ts';
import { tagsOf } from '../../../ui/tags/tags-of.ts';
import { SITE_LISTS_KEY, siteQuery } from '../queries.ts';
import { useSite } from '../site-context.tsx';

interface InstallationValues {
  tags: string;
  /** Empty without a value, as the two below. */
  peakPowerKwp: number | string;
  latitude: number | string;
  longitude: number | string;
}

/** Tags, peak power and location of the site, which those who manage it enter. */
export function InstallationCard() {
  const { t } = useTranslation('siteDevice');
  const queries = useQueryClient();
  const { site } = useSite();
  const form = useApiForm<InstallationValues, void>({
    initialValues: {
      tags: site.tags.join(', '),
      peakPowerKwp: site.peak_power_kwp ?? '',
      latitude: site.latitude ?? '',
      longitude: site.longitude ?? '',
    },
    send: async ({ tags, peakPowerKwp, latitude, longitude }) => {
      await cloud.setSiteInstallation({
        id: site.id,
        peak_power_kwp: numberOrNull(peakPowerKwp),
        latitude: numberOrNull(latitude),
        longitude: numberOrNull(longitude),
      });
      await cloud.setSiteTags({ id: site.id, tags: tagsOf(tags) });
      await queries.invalidateQueries({ queryKey: siteQuery(site.id).queryKey, exact: true });
      void queries.invalidateQueries({ queryKey: SITE_LISTS_KEY });
    },
    onDone: () => form.resetDirty(),
  });
  return (
    <Card title={t('installation.title')}>
      <form noValidate onSubmit={form.submit}>
        <Stack gap="md" maw="32rem">
          <FormError error={form.error} />
          <TextInput
            label={t('installation.tags')}
            description={t('installation.tagsHint')}
            autoComplete="off"
            {...form.getInputProps('tags')}
          />
          <NumberInput
            label={t('installation.peakPower')}
            hideControls
            {...form.getInputProps('peakPowerKwp')}
          />
          <Group grow gap="md" align="start">
            <NumberInput
              label={t('installation.latitude')}
              hideControls
              decimalScale={6}
              {...form.getInputProps('latitude')}
            />
            <NumberInput
              label={t('installation.longitude')}
              hideControls
              decimalScale={6}
              {...form.getInputProps('longitude')}
            />
          </Group>
          <Text size="sm" c="dimmed">
            {t('installation.locationHint')}
          </Text>
          <Button
            type="submit"
            variant="default"
            style={{ alignSelf: 'start' }}
            loading={form.isPending}
            disabled={!form.isDirty()}
          >
            {t('updates.save')}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}

/** An empty input is the empty text. */
function numberOrNull(value: number | string): number | null {
  return value === '' ? null : Number(value);
}
