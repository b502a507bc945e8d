import { cloudBackup, endCloudBackup, startCloudBackup } from '@heliograph/client';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { CopyButton } from '../../shared/components/copy/copy-button.tsx';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { PasswordField } from '../../shared/components/form/password-field.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { useFormat } from '../../shared/format/use-format.ts';
import { device } from '../session/device.ts';

/** Until the first backup is stored, in milliseconds. */
const REFRESH_MS = 2_000;

const cloudBackupQuery = queryOptions({
  queryKey: ['cloud-backup'],
  queryFn: () => cloudBackup(device),
  refetchInterval: ({ state: { data } }) =>
    data?.enabled === true && data.stored_at === null && data.problem === null ? REFRESH_MS : false,
});

/** Turns daily backups in the cloud on and off. */
export function CloudBackupCard() {
  const { t } = useTranslation('configuration');
  const queries = useQueryClient();
  const { data } = useQuery(cloudBackupQuery);
  const [code, setCode] = useState<string>();
  const refresh = () => queries.invalidateQueries({ queryKey: cloudBackupQuery.queryKey });
  const { submit, isPending, error } = useSubmit(() => endCloudBackup(device), {
    onDone() {
      setCode(undefined);
      void refresh();
    },
  });
  return (
    <Card title={t('cloudBackup.title')}>
      <Stack align="start">
        <Text>{t('cloudBackup.why')}</Text>
        <div role="status">{code !== undefined && <RecoveryCode code={code} />}</div>
        {data?.enabled === true && <State {...data} />}
        {data?.enabled === false && (
          <TurnOn
            onCode={(made) => {
              setCode(made);
              void refresh();
            }}
          />
        )}
        <FormError error={error} />
        {data?.enabled === true && (
          <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
            {t('cloudBackup.turnOff')}
          </Button>
        )}
      </Stack>
    </Card>
  );
}

interface StateProps {
  readonly stored_at: string | null;
  readonly problem: string | null;
}

function State({ stored_at: storedAt, problem }: StateProps) {
  const { t } = useTranslation('configuration');
  const { dateTime } = useFormat();
  return (
    <>
      <Text>
        {storedAt === null ? t('cloudBackup.none') : t('cloudBackup.stored', { time: dateTime(storedAt) })}
      </Text>
      {problem !== null && (
        <Alert color="yellow" variant="light" title={t('cloudBackup.problem')}>
          {problem}
        </Alert>
      )}
    </>
  );
}

function RecoveryCode({ code }: { readonly code: string }) {
  const { t } = useTranslation('configuration');
  return (
    <Alert color="green" variant="light" title={t('cloudBackup.code')}>
      <Text ff="monospace" size="lg" style={{ overflowWrap: 'anywhere' }}>
        {code}
      </Text>
      <CopyButton text={code} label={t('cloudBackup.code')} />
      <Text mt="xs">{t('cloudBackup.codeWhy')}</Text>
    </Alert>
  );
}

function TurnOn({ onCode }: { readonly onCode: (code: string) => void }) {
  const { t } = useTranslation('configuration');
  const [password, setPassword] = useState('');
  const { submit, isPending, fields, error } = useSubmit(() => startCloudBackup(device, password), {
    onDone: onCode,
  });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    submit(undefined);
  };
  return (
    <form noValidate onSubmit={send} style={{ width: '100%' }}>
      <Stack>
        <FormError error={error} />
        <PasswordField
          label={t('password.current')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          error={fields.password === undefined ? undefined : t('password.wrongCurrent')}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Button type="submit" loading={isPending} style={{ alignSelf: 'flex-start' }}>
          {t('cloudBackup.turnOn')}
        </Button>
      </Stack>
    </form>
  );
}
