import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { cloud } from '../session/cloud.ts';
import { browsingUrl } from './browsing-url.ts';
import { deviceUrl } from './device-url.ts';
import { useOnline } from './online.tsx';
import { useSite } from './site-context.tsx';

/** The ways to the device's own pages: through its proxy from anywhere, and straight from its own network. */
export function OpenPages() {
  const { t } = useTranslation('sites');
  const { site } = useSite();
  const isOnline = useOnline();
  const localUrl = deviceUrl(site.local_ip);
  const { submit, isPending, error } = useSubmit((url: string) => browse(site.id, url));
  return (
    <>
      <FormError error={error} />
      <Group gap="sm">
        {site.url !== null && (
          <Button
            variant="default"
            loading={isPending}
            disabled={!isOnline}
            onClick={() => site.url !== null && submit(site.url)}
          >
            {t('device.openPages')}
          </Button>
        )}
        {localUrl !== undefined && (
          <Button variant="default" component="a" href={localUrl} rel="noreferrer">
            {t('device.openLocal', { address: site.local_ip })}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {t(site.url === null ? 'device.unnamedHint' : 'device.openHint')}
      </Text>
    </>
  );
}

async function browse(siteId: number, url: string): Promise<void> {
  location.assign(browsingUrl(url, await cloud.authorize(siteId)));
}
