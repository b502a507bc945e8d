import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../shared/components/copy/copy-button.tsx';

/** Recovery codes, the one time that they are shown, below a heading that names them. */
export function RecoveryCodeList({ codes }: { readonly codes: readonly string[] }) {
  const { t } = useTranslation('security');
  const { t: shared } = useTranslation();
  if (codes.length === 0) return null;
  const text = codes.join('\n');
  return (
    <Stack gap="sm" role="group" aria-label={t('codes')}>
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
