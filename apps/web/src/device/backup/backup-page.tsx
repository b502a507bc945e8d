import { cloudBackup, createBackup, endCloudBackup, startCloudBackup } from '@heliograph/client';
import { Alert, Button, Checkbox, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../shared/browser/save-file.ts';
import { Card } from '../../shared/components/card/card.tsx';
import { CopyButton } from '../../shared/components/copy/copy-button.tsx';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { PasswordField } from '../../shared/components/form/password-field.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { useFormat } from '../../shared/format/use-format.ts';
import { BackToConfiguration } from '../configuration/back-link.tsx';
import { device } from '../session/device.ts';
import { useDeviceSession } from '../session/session.ts';
import { RestoreForm } from './restore-form.tsx';

/** Until the first backup is stored, in milliseconds. */
const REFRESH_MS = 2_000;

const cloudBackupQuery = queryOptions({
  queryKey: ['cloud-backup'],
  queryFn: () => cloudBackup(device),
  refetchInterval: ({ state: { data } }) =>
    data?.enabled === true && data.stored_at === null && data.problem === null ? REFRESH_MS : false,
});

/** Turns daily backups in the cloud on and off. */
function CloudBackupCard() {
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

/** The shortest passphrase that a device takes, in characters. */
const MIN_PASSPHRASE_LENGTH = 12;

/** Makes a backup, which the browser saves. */
function BackupForm() {
  const { t } = useTranslation('configuration');
  const [password, setPassword] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [repeated, setRepeated] = useState('');
  const [history, setHistory] = useState(true);
  const [isChecked, setChecked] = useState(false);
  const [saved, setSaved] = useState<string>();
  const isShort = passphrase.length < MIN_PASSPHRASE_LENGTH;
  const isDifferent = passphrase !== repeated;
  const { submit, isPending, fields, error } = useSubmit(
    () => createBackup(device, { password, passphrase, history }),
    {
      onDone(file) {
        saveFile(file.name, file);
        setSaved(file.name);
      },
    },
  );
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setSaved(undefined);
    setChecked(true);
    if (!isShort && !isDifferent) submit(undefined);
  };
  return (
    <form noValidate onSubmit={send}>
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
        <PasswordField
          label={t('backup.passphrase')}
          description={t('backup.passphraseRule', { min: MIN_PASSPHRASE_LENGTH })}
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={passphrase}
          error={isChecked && isShort ? t('backup.tooShort') : fields.passphrase}
          onChange={({ currentTarget }) => setPassphrase(currentTarget.value)}
        />
        <PasswordField
          label={t('backup.repeat')}
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={repeated}
          error={isChecked && isDifferent && t('backup.notTheSame')}
          onChange={({ currentTarget }) => setRepeated(currentTarget.value)}
        />
        <Checkbox
          label={t('backup.history')}
          description={t('backup.historyWhy')}
          checked={history}
          onChange={({ currentTarget }) => setHistory(currentTarget.checked)}
        />
        <Button type="submit" loading={isPending} style={{ alignSelf: 'flex-start' }}>
          {t('backup.make')}
        </Button>
        <div role="status">
          {saved !== undefined && (
            <Alert color="green" variant="light">
              {t('backup.saved', { name: saved })}
            </Alert>
          )}
        </div>
      </Stack>
    </form>
  );
}

/** Makes an encrypted backup of the device, and restores one, on the network of the home. */
export function Page() {
  const { t } = useTranslation('configuration');
  const { via } = useDeviceSession();
  return (
    <Stack maw="34rem">
      <BackToConfiguration />
      <PageTitle text={t('backup.title')} />
      <Text c="dimmed">{t('backup.why')}</Text>
      {via === 'lan' ? (
        <>
          <Card title={t('backup.make')}>
            <BackupForm />
          </Card>
          <CloudBackupCard />
          <Card title={t('backup.restore')}>
            <RestoreForm hasPassword />
          </Card>
        </>
      ) : (
        <Text>{t('backup.onlyAtHome')}</Text>
      )}
    </Stack>
  );
}
