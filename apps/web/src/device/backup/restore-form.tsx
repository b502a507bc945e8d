import { type DeviceRestored, type DeviceSession, restoreBackup, restoreFromCloud } from '@heliograph/client';
import { Alert, Button, FileInput, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { PasswordField } from '../../shared/components/form/password-field.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { device } from '../session/device.ts';
import { useDeviceSession } from '../session/session.ts';
import { deviceSession } from '../session/session-client.ts';
import { whenRestarted } from './when-restarted.ts';

/** Of a device that has no password yet. */
export function FirstRestoreForm() {
  return <RestoreForm hasPassword={false} />;
}

interface RestoreFormProps {
  readonly hasPassword: boolean;
}

/** Turns the device into the one of a backup, and opens its page once it runs again. */
export function RestoreForm({ hasPassword }: RestoreFormProps) {
  const { t } = useTranslation('configuration');
  const { signed_in: isSignedIn, store_problem: problem } = useDeviceSession();
  // Of a device that had a password, the session may look the same.
  const isRestored = (session: DeviceSession) =>
    session.store_problem === null && (problem !== null || hasPassword || session.has_password);
  const [file, setFile] = useState<File | null>(null);
  const [isFromCloud, setFromCloud] = useState(false);
  const [code, setCode] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [password, setPassword] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [share, setShare] = useState<number>();
  const [restored, setRestored] = useState<DeviceRestored>();
  const { submit, isPending, fields, error } = useSubmit(
    async (backup: File | null) => {
      if (backup === null) return await restoreFromCloud(device, code, hasPassword ? password : undefined);
      try {
        // Parts are taken of signed-in callers alone.
        if (hasPassword && !isSignedIn) await deviceSession.signIn(password);
        return await restoreBackup(device, backup, {
          passphrase,
          password: hasPassword ? password : undefined,
          onProgress: setShare,
        });
      } finally {
        setShare(undefined);
      }
    },
    {
      onDone(done) {
        setRestored(done);
        // The session is of the former device.
        if (done.configuration_problem === null)
          void whenRestarted(isRestored).then(() => location.assign('/'));
      },
    },
  );
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    if (isFromCloud) submit(null);
    else if (file !== null) submit(file);
  };
  if (restored !== undefined) return <Restored {...restored} />;
  return (
    <form noValidate onSubmit={send}>
      <Stack>
        <Text>{t('backup.restoreWhy')}</Text>
        <FormError error={error} />
        <NativeSelect
          label={t('backup.source')}
          value={isFromCloud ? 'cloud' : 'file'}
          onChange={({ currentTarget }) => setFromCloud(currentTarget.value === 'cloud')}
          data={[
            { value: 'file', label: t('backup.fromFile') },
            { value: 'cloud', label: t('backup.fromCloud') },
          ]}
        />
        {isFromCloud ? (
          <TextInput
            label={t('cloudBackup.code')}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            error={fields.passphrase === undefined ? undefined : t('backup.wrongPassphrase')}
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
        ) : (
          <>
            <FileInput
              label={t('backup.file')}
              placeholder={t('backup.choose')}
              value={file}
              error={isChecked && file === null && t('backup.choose')}
              onChange={setFile}
            />
            <PasswordField
              label={t('backup.passphraseOf')}
              autoComplete="off"
              required
              withAsterisk={false}
              value={passphrase}
              error={fields.passphrase === undefined ? undefined : t('backup.wrongPassphrase')}
              onChange={({ currentTarget }) => setPassphrase(currentTarget.value)}
            />
          </>
        )}
        {hasPassword && (
          <PasswordField
            label={t('password.current')}
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            error={fields.password === undefined ? undefined : t('password.wrongCurrent')}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        )}
        {share !== undefined && (
          <progress value={share} aria-label={t('backup.uploading')} style={{ width: '100%' }} />
        )}
        <Button type="submit" loading={isPending} style={{ alignSelf: 'flex-start' }}>
          {t('backup.restoreSend')}
        </Button>
      </Stack>
    </form>
  );
}

function Restored({ configuration_problem: problem }: DeviceRestored) {
  const { t } = useTranslation('configuration');
  return (
    <Stack role="status">
      <Alert color="green" variant="light">
        {t('backup.restored')}
      </Alert>
      {problem !== null && (
        <Alert color="yellow" variant="light" title={t('backup.configurationUnused')}>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {problem}
          </Text>
        </Alert>
      )}
    </Stack>
  );
}
