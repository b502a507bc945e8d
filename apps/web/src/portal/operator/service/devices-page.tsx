import type { DeviceState, ListedDevice } from '@heliograph/client';
import { Button, Group, NativeSelect } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { SearchField } from '../../../shared/components/form/search-field.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { StateBadge } from '../../../shared/components/status/state-badge.tsx';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { MoreButton } from '../../ui/lists/more-button.tsx';
import { pagedQuery } from '../../ui/lists/paged.ts';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { useFilter } from '../../ui/lists/use-filter.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import classes from './devices-page.module.css';
import { OperatorPage } from './operator-page.tsx';
import { ProvisionForm } from './provision-form.tsx';

const devicesQuery = (q: string, state: DeviceState | undefined) =>
  pagedQuery(['operator', 'devices', q, state], (page) => cloud.listDevices({ q, state, ...page }));

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
              ...DEVICE_STATES.map((state) => ({ value: state, label: t(`states.${state}`) })),
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

interface DeviceRowProps {
  readonly device: ListedDevice;
  readonly onChanged: () => void;
}

function DeviceRow({ device, onChanged }: DeviceRowProps) {
  const { t } = useTranslation('operator');
  const { uid, state, site_id: site, organization_id: organization } = device;
  const {
    presence,
    last_seen_at: seen,
    proxy,
    board,
    version,
    local_ip: address,
    inverter,
    battery,
  } = device;
  return (
    <Row
      title={
        <>
          <code>{uid}</code>
          <StatusBadge tone={state === 'revoked' ? 'danger' : 'neutral'}>{t(`states.${state}`)}</StatusBadge>
          <StateBadge state={presence} lastSeenAt={seen} />
        </>
      }
      facts={[
        site !== null && (
          <Link href={`/sites/${site}`}>{t('devices.site', { name: device.site_name ?? site })}</Link>
        ),
        device.owner_name,
        organization !== null && (
          <Link href={`/organizations/${organization}`}>
            {t('devices.organization', { name: device.organization_name ?? organization })}
          </Link>
        ),
        proxy,
        inverter,
        battery,
        board,
        version,
        address,
      ]}
      actions={<DeviceActions device={device} onChanged={onChanged} />}
    />
  );
}

interface DeviceActionsProps {
  readonly device: ListedDevice;
  readonly onChanged: () => void;
}

function DeviceActions({ device: { uid, state, activated_at: activated }, onChanged }: DeviceActionsProps) {
  const { t } = useTranslation('operator');
  if (state === 'revoked') {
    return (
      <ConfirmedButton
        label={t('devices.restore')}
        description={t('devices.restoreThat', { uid })}
        title={t('devices.restoreTitle')}
        tone="primary"
        act={() => cloud.restoreDevice({ uid })}
        onDone={onChanged}
      >
        {t('devices.restoreText', { uid })}
      </ConfirmedButton>
    );
  }
  return (
    <>
      {activated === null && (
        <ConfirmedButton
          label={t('devices.activate')}
          description={t('devices.activateThat', { uid })}
          title={t('devices.activateTitle')}
          tone="primary"
          act={() => cloud.activateDevice({ uid })}
          onDone={onChanged}
        >
          {t('devices.activateText', { uid })}
        </ConfirmedButton>
      )}
      {/* Nothing that cuts a home off stands ready on each row. */}
      <details className={classes.more}>
        <summary aria-label={t('devices.more', { uid })}>⋯</summary>
        <ConfirmedButton
          label={t('devices.revoke')}
          description={t('devices.revokeThat', { uid })}
          title={t('devices.revokeTitle')}
          act={() => cloud.revokeDevice({ uid })}
          onDone={onChanged}
        >
          {t('devices.revokeText', { uid })}
        </ConfirmedButton>
      </details>
    </>
  );
}

/** How far a device has come, in the order of its life. */
const DEVICE_STATES = [
  'provisioned',
  'inactive',
  'unregistered',
  'registered',
  'released',
  'revoked',
] as const satisfies readonly DeviceState[];

/** A state as an address or a select has it; undefined for all of them. */
function parseDeviceState(text: string): DeviceState | undefined {
  return DEVICE_STATES.find((state) => state === text);
}
