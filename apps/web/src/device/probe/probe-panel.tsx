import { Alert, Button, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../shared/components/states/failure.tsx';
import { ConfigurationProblem } from '../configuration/configuration-problem.tsx';
import { Findings } from './findings.tsx';
import { ProbeForm } from './probe-form.tsx';
import { ProbeProgress } from './probe-progress.tsx';
import { useProbe } from './use-probe.ts';

/** Looks for inverters and batteries, and takes into use what is found. @param onUsed when the device runs with it */
export function ProbePanel({ onUsed }: { readonly onUsed: () => void }) {
  const { t } = useTranslation('configuration');
  const { report, failure, start, cancel, forget } = useProbe();
  if (failure !== null) return <Failure error={failure} />;
  if (report === undefined) {
    return (
      <Stack>
        <ConfigurationProblem />
        <ProbeForm start={start} />
      </Stack>
    );
  }
  if (report.state === 'running') return <ProbeProgress report={report} cancel={cancel} />;
  return (
    <Stack>
      {report.state === 'failed' && (
        <Alert color="red" variant="light" role="alert">
          {t('probe.failed', { reason: report.error ?? '' })}
        </Alert>
      )}
      {report.state === 'cancelled' && <Alert color="gray">{t('probe.cancelled')}</Alert>}
      <Findings report={report} onUsed={onUsed} />
      <Button variant="default" onClick={forget} style={{ alignSelf: 'flex-start' }}>
        {t('probe.again')}
      </Button>
    </Stack>
  );
}
