import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface SaveRowProps {
  readonly isPending: boolean;
  readonly isSaved: boolean;
}

/** The button that saves a form, and word that it is saved. */
export function SaveRow({ isPending, isSaved }: SaveRowProps) {
  const { t } = useTranslation('organization');
  return (
    <Group gap="md">
      <Button type="submit" loading={isPending}>
        {t('branding.save')}
      </Button>
      <Text role="status">{isSaved && t('branding.saved')}</Text>
    </Group>
  );
}
