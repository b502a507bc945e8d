import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../shared/components/copy/copy-button.tsx';

interface RecoveryCodeListProps {
  readonly codes: readonly string[];
  /** Left out where the page says what they are. */
  readonly hasTitle?: boolean;
}

/** Recovery codes, the one time that they are shown. */
export function RecoveryCodeList({ codes, hasTitle = true }: RecoveryCodeListProps) {
  const { t } = useTranslation('security');
  const { t: shared } = useTranslation();
  if (codes.length === 0) return null;
  const text = codes.join('\n');
  return (
    <Stack gap="sm" component="section" aria-label={t('codes')}>
      {hasTitle && <Text fw={600}>{t('codes')}</Text>}
      <Text>{t('codesText')}</Text>
      <pre style={{ margin: 0 }}>{text}</pre>
      <Text size="sm">{shared('copy.shownOnce')}</Text>
      <Group gap="sm">
        <CopyButton text={text} label={shared('copy.copy')} />
        <Button
          component="a"
          variant="default"
          download="recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
        >
          {t('download')}
        </Button>
      </Group>
    </Stack>
  );
}
