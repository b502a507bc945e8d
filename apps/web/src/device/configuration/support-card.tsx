import type { DeviceSupport, SupportAccess } from '@heliograph/contracts';
import { Radio, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { device } from '../session/device.ts';
import { OfHousehold } from '../support/of-household.tsx';
import { supportQuery } from '../support/support-query.ts';

/** Whether support may be let in at all; it takes effect at once. */
export function SupportCard() {
  const { t } = useTranslation('configuration');
  const { data } = useQuery(supportQuery);
  const { submit, error } = useSubmit(useChangeAccess());
  return (
    <Card title={t('support.title')}>
      <OfHousehold>
        <Radio.Group
          label={t('support.setting')}
          description={t('support.settingHint')}
          value={data?.access ?? null}
          onChange={(access) => submit(access === 'never' ? 'never' : 'ask')}
        >
          <Stack gap="sm" mt="sm">
            <Radio value="ask" label={t('support.settingAsk')} disabled={data === undefined} />
            <Radio value="never" label={t('support.settingNever')} disabled={data === undefined} />
          </Stack>
        </Radio.Group>
      </OfHousehold>
      <FormError error={error} />
    </Card>
  );
}

/** The choice shows at once, and is taken back where the device refuses it. */
function useChangeAccess(): (access: SupportAccess) => Promise<DeviceSupport> {
  const queries = useQueryClient();
  return async (access) => {
    queries.setQueryData(supportQuery.queryKey, (before) => before && { ...before, access });
    try {
      return await device.changeSupport({ access });
    } finally {
      void queries.invalidateQueries(supportQuery);
    }
  };
}
