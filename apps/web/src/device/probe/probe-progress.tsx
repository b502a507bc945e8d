import type { ProbeReport } from '@heliograph/client';
import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import classes from './probe.module.css';

interface ProbeProgressProps {
  readonly report: ProbeReport;
  readonly cancel: {
    readonly submit: (input: undefined) => void;
    readonly isPending: boolean;
    readonly error: unknown;
  };
}

/** How far the look has come. */
export function ProbeProgress({ report, cancel }: ProbeProgressProps) {
  const { t } = useTranslation('configuration');
  const { tried, of, now } = report.progress;
  return (
    <Stack>
      <Text fw={600} role="status">
        {t('probe.looking')}
      </Text>
      <progress
        className={classes.progress}
        aria-label={t('probe.looking')}
        value={tried}
        max={Math.max(1, of)}
      />
      <Text size="sm" c="dimmed" className={classes.now ?? ''}>
        {t('probe.tried', { tried, of })}
        {now !== null && ` · ${now}`}
      </Text>
      <Text size="sm" role="status">
        {t('probe.found', { count: report.findings.length })}
      </Text>
      <FormError error={cancel.error} />
      <Button
        variant="default"
        loading={cancel.isPending}
        onClick={() => cancel.submit(undefined)}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('probe.cancel')}
      </Button>
    </Stack>
  );
}
