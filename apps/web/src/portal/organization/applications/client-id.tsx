import { Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../shared/components/copy/copy-button.tsx';

export function ClientId({ clientId }: { readonly clientId: string }) {
  const { t } = useTranslation('organization');
  return (
    <Group gap="xs" wrap="nowrap">
      <code style={{ overflowWrap: 'anywhere' }}>{clientId}</code>
      <CopyButton isIcon text={clientId} label={t('credentials.copyId')} />
    </Group>
  );
}
