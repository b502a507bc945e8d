import { ApiError, type ProbeBody, type ProbeReport } from '@heliograph/client';
import { Alert, Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tabStorage } from '../../shared/browser/browser-storage.ts';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { Failure } from '../../shared/components/states/failure.tsx';
import type { FieldErrors } from '../../shared/errors/error-message.ts';
import { queries } from '../../shared/queries/query-client.ts';
import { ConfigurationProblem } from '../configuration/configuration-problem.tsx';
import { useConfiguration } from '../configuration/configuration-query.ts';
import { device } from '../session/device.ts';
import { Findings } from './findings.tsx';
import classes from './probe.module.css';
import { bodyOf, EVERYWHERE, type ProbeInput, TYPED } from './probe-input.ts';

const CONFLICT = 409;

interface ProbeFormProps {
  readonly start: {
    readonly submit: (body: ProbeBody) => void;
    readonly isPending: boolean;
    readonly fields: FieldErrors;
    readonly error: unknown;
  };
}

/** The place to probe, and the driver. */
function ProbeForm({ start }: ProbeFormProps) {
  const { t } = useTranslation('configuration');
  const { ports, drivers } = useConfiguration();
  const [input, setInput] = useState<ProbeInput>({
    place: ports.length === 0 ? TYPED : EVERYWHERE,
    address: '',
    driver: '',
  });
  const isRunning = start.error instanceof ApiError && start.error.status === CONFLICT;
  const places = [
    { value: EVERYWHERE, label: t('probe.everywhere') },
    { value: TYPED, label: t('probe.typed') },
    ...ports.map(({ bus, in_use_by: user }) => ({
      value: bus,
      label: user === null ? bus : t('probe.usedPort', { bus, user }),
      disabled: user !== null,
    })),
  ];
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        start.submit(bodyOf(input));
      }}
    >
      <Stack>
        <Text>{t('probe.why')}</Text>
        {ports.length === 0 && <Text c="dimmed">{t('probe.noPorts')}</Text>}
        {isRunning ? (
          <Alert color="orange">{t('probe.runsAlready')}</Alert>
        ) : (
          <FormError error={start.error} />
        )}
        <NativeSelect
          label={t('probe.where')}
          value={input.place}
          {...(input.place !== TYPED && { error: start.fields.bus })}
          onChange={({ currentTarget }) => setInput({ ...input, place: currentTarget.value })}
          data={places}
        />
        {input.place === TYPED && (
          <TextInput
            label={t('connections.bus')}
            description={t('probe.addressWhy', { example: 'modbus-tcp://192.168.1.20:502' })}
            value={input.address}
            error={start.fields.bus}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            onChange={({ currentTarget }) => setInput({ ...input, address: currentTarget.value })}
          />
        )}
        <NativeSelect
          label={t('connections.driver')}
          value={input.driver}
          error={start.fields.driver}
          onChange={({ currentTarget }) => setInput({ ...input, driver: currentTarget.value })}
          data={[
            { value: '', label: t('probe.anyDriver') },
            ...drivers.map(({ name, title }) => ({ value: name, label: title })),
          ]}
        />
        <Button type="submit" loading={start.isPending} style={{ alignSelf: 'flex-start' }}>
          {t('probe.start')}
        </Button>
      </Stack>
    </form>
  );
}

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
