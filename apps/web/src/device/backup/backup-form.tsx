import { createBackup } from '@heliograph/client';
import { Alert, Button, Checkbox, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../shared/browser/save-file.ts';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { PasswordField } from '../../shared/components/form/password-field.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { device } from '../session/device.ts';

/** The shortest passphrase that a device takes, in characters. */
const MIN_PASSPHRASE_LENGTH = 12;

/** Makes a backup, which the browser saves. */
export function BackupForm() {
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
