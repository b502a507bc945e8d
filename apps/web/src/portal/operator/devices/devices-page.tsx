import { Button, Group, NativeSelect } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { SearchField } from '../../../shared/components/form/search-field.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { queries } from '../../../shared/queries/query-client.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Rows } from '../../parts/rows.tsx';
import { OperatorPage } from '../operator-page.tsx';
import { devicesQuery } from '../queries.ts';
import { useFilter } from '../use-filter.ts';
import { DeviceRow } from './device-row.tsx';
import { DEVICE_STATES, parseDeviceState, STATE_LABELS } from './device-states.ts';
import { ProvisionForm } from './provision-form.tsx';

/** Every device that the service knows. */
export function Page() {
  const { t } = useTranslation('operator');
  const [isAdding, setAdding] = useState(false);
  const { values, set } = useFilter('q', 'state');
  const devices = useInfiniteQuery({
    ...devicesQuery(values.q, parseDeviceState(values.state)),
    placeholderData: keepPreviousData,
  });
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['operator', 'devices'] });
  return (
    <OperatorPage part={t('devices.title')}>
      {isAdding && (
        <Card title={t('provision.title')}>
          <ProvisionForm onDone={refresh} onClose={() => setAdding(false)} />
        </Card>
      )}
      <Card
        title={t('devices.title')}
        action={!isAdding && <Button onClick={() => setAdding(true)}>{t('provision.start')}</Button>}
      >
        <Group gap="sm">
          <SearchField label={t('devices.search')} value={values.q} onChange={(q) => set('q', q)} />
          <NativeSelect
            aria-label={t('devices.state')}
            value={values.state}
            data={[
              { value: '', label: t('states.all') },
              ...DEVICE_STATES.map((state) => ({ value: state, label: t(STATE_LABELS[state]) })),
            ]}
            onChange={(event) => set('state', event.currentTarget.value)}
          />
        </Group>
        <QueryResult query={devices}>
          {(list) =>
            list.length === 0 ? (
              <Empty title={t('devices.none')} />
            ) : (
              <Rows label={t('devices.title')}>
                {list.map((device) => (
                  <DeviceRow key={device.uid} device={device} onChanged={refresh} />
                ))}
              </Rows>
            )
          }
        </QueryResult>
        <MoreButton list={devices} />
      </Card>
    </OperatorPage>
  );
}
