import { Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { pushState, switchOff, switchOn } from '../../session/own-device.ts';
import { isInstalled, isIos } from './installation.ts';

const KEY = ['push'] as const;

interface PushSwitchProps {
  readonly userId: number;
  /** Called when the browsers of the account are others than before. */
  readonly onChange?: () => void;
}

/** Whether messages come to this browser; nothing where the cloud pushes none. */
export function PushSwitch({ userId, onChange }: PushSwitchProps) {
  const { t } = useTranslation('app');
  const queries = useQueryClient();
  const stateKey = [...KEY, userId];
  const { data: state } = useQuery({ queryKey: stateKey, queryFn: () => pushState(userId) });
  const change = useMutation({
    mutationFn: async (on: boolean) => {
      if (on) return switchOn(userId);
      await switchOff();
      return pushState(userId);
    },
    onSuccess: (changed) => {
      queries.setQueryData(stateKey, changed);
      onChange?.();
    },
    onError: () => queries.invalidateQueries({ queryKey: stateKey }),
  });
  if (state === undefined || state === 'unoffered') return null;
  const needsApp = state === 'unsupported' && isIos() && !isInstalled();
  return (
    <Stack gap="xs">
      <Switch
        label={t('push.label')}
        description={t('push.hint')}
        checked={change.isPending ? change.variables : state === 'on'}
        disabled={state === 'unsupported' || state === 'denied' || change.isPending}
        onChange={({ currentTarget: { checked } }) => change.mutate(checked)}
      />
      {state === 'denied' && <Text size="sm">{t('push.denied')}</Text>}
      {state === 'unsupported' && <Text size="sm">{t(needsApp ? 'push.needsApp' : 'push.unsupported')}</Text>}
      <FormError error={change.error} />
    </Stack>
  );
}
