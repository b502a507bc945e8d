import type { DeviceDelegation } from '@heliograph/contracts';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { FormError } from '../components/form/form-error.tsx';
import { useSubmit } from '../components/form/use-submit.ts';
import { useFormat } from '../format/use-format.ts';

interface DelegationsCardProps {
  readonly delegations: readonly DeviceDelegation[];
  readonly onKeep: (id: string) => Promise<unknown>;
  readonly onEnd: (id: string) => Promise<unknown>;
}

/** Delegations with their authors; renders nothing without any. */
export function DelegationsCard({ delegations, onKeep, onEnd }: DelegationsCardProps) {
  const { t } = useTranslation('settings');
  if (delegations.length === 0) return null;
  return (
    <Card title={t('delegations.title')}>
      <Stack gap="md">
        <Text c="dimmed" size="sm">
          {t('delegations.hint')}
        </Text>
        {delegations.map((delegation) => (
          <Entry
            key={delegation.id}
            delegation={delegation}
            onKeep={() => onKeep(delegation.id)}
            onEnd={() => onEnd(delegation.id)}
          />
        ))}
      </Stack>
    </Card>
  );
}

interface EntryProps {
  readonly delegation: DeviceDelegation;
  readonly onKeep: () => Promise<unknown>;
  readonly onEnd: () => Promise<unknown>;
}

function Entry({ delegation, onKeep, onEnd }: EntryProps) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const keep = useSubmit(onKeep);
  const end = useSubmit(onEnd);
  const { suspended, set_at: setAt } = delegation;
  const isPending = keep.isPending || end.isPending;
  return (
    <div>
      <Text>{subjectLabel(t, delegation)}</Text>
      <Text c="dimmed" size="sm">
        {[authorOf(t, delegation), setAt === null ? '' : format.dateTime(setAt)].filter(Boolean).join(' · ')}
      </Text>
      {suspended !== null && (
        <Alert color="orange" variant="light" mt="xs">
          {suspensionLabel(t, suspended)}
        </Alert>
      )}
      <FormError error={keep.error ?? end.error} />
      <Group gap="sm" mt="xs">
        {suspended !== null && (
          <Button loading={keep.isPending} disabled={isPending} onClick={() => keep.submit(undefined)}>
            {t('delegations.keep')}
          </Button>
        )}
        <Button
          variant="default"
          loading={end.isPending}
          disabled={isPending}
          onClick={() => end.submit(undefined)}
        >
          {t('delegations.end')}
        </Button>
      </Group>
    </div>
  );
}

type T = TFunction<'settings'>;

function subjectLabel(t: T, { kind, subject }: DeviceDelegation): string {
  switch (kind) {
    case 'mqtt':
      return t('delegations.mqtt', { subject });
    case 'connection':
      return t('delegations.connection', { subject });
    case 'setting_writes':
      return t('delegations.settingWrites', { subject });
  }
}

function suspensionLabel(t: T, reason: NonNullable<DeviceDelegation['suspended']>): string {
  switch (reason) {
    case 'token':
      return t('delegations.suspended.token');
    case 'role':
      return t('delegations.suspended.role');
    case 'account':
      return t('delegations.suspended.account');
    case 'site':
      return t('delegations.suspended.site');
    case 'unknown':
      return t('delegations.suspended.unknown');
  }
}

/** A device knows accounts by their number only. */
function authorOf(t: T, { author, suspended }: DeviceDelegation): string {
  if (author === null) return suspended === null ? t('delegations.inFile') : '';
  const [, id] = /^user (\d+)$/.exec(author) ?? [];
  return id === undefined ? t('log.author.local') : t('log.author.user', { id });
}
