import { ApiError, type ProbeBody, type ProbeReport } from '@heliograph/client';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tabStorage } from '../../shared/browser/browser-storage.ts';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { Failure } from '../../shared/components/states/failure.tsx';
import { queries } from '../../shared/queries/query-client.ts';
import { ConfigurationProblem } from '../configuration/configuration-problem.tsx';
import { device } from '../session/device.ts';
import { Findings } from './findings.tsx';
import classes from './probe.module.css';
import { ProbeForm } from './probe-form.tsx';

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

interface ProbeProgressProps {
  readonly report: ProbeReport;
  readonly cancel: {
    readonly submit: (input: undefined) => void;
    readonly isPending: boolean;
    readonly error: unknown;
  };
}

/** How far the look has come. */
function ProbeProgress({ report, cancel }: ProbeProgressProps) {
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

/** The device cannot push the progress of a probe: the page polls while it runs. */
const LOOK_EVERY_MS = 700;

/** The key in the tab's storage of the probe that it began: another page of the tab finds it again. */
const KEPT = 'heliograph_probe';

const NOT_FOUND = 404;

const probeQuery = (id: string | null) =>
  queryOptions({
    queryKey: ['probe', id],
    queryFn: id === null ? () => null : ({ signal }) => reportOf(id, signal),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? LOOK_EVERY_MS : false),
  });

/** Null for a probe that the device no longer has, as after its restart. */
async function reportOf(id: string, signal: AbortSignal) {
  try {
    return await device.probes.get(id, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === NOT_FOUND) return null;
    throw error;
  }
}

/** Looks for hardware, and follows the look that this tab began. */
function useProbe() {
  const [id, setId] = useState(() => tabStorage.get(KEPT));
  const report = useQuery(probeQuery(id));
  const keep = (next: string | null): void => {
    if (next === null) tabStorage.remove(KEPT);
    else tabStorage.set(KEPT, next);
    setId(next);
  };
  const start = useSubmit((body: ProbeBody) => device.probes.start(body), {
    onDone: (started) => keep(started.id),
  });
  const cancel = useSubmit(async () => {
    if (id !== null) await device.probes.cancel(id);
    await queries.invalidateQueries({ queryKey: probeQuery(id).queryKey });
  });
  return { report: report.data ?? undefined, failure: report.error, start, cancel, forget: () => keep(null) };
}
