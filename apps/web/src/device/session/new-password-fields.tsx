import { MAX_DEVICE_PASSWORD_LENGTH, MIN_DEVICE_PASSWORD_LENGTH } from '@heliograph/contracts/password-rules';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../shared/components/form/password-field.tsx';
import type { PasswordFaults } from './password-rule.ts';

interface NewPasswordFieldsProps {
  readonly password: string;
  readonly repeated: string;
  /** Undefined until the first attempt to send the form. */
  readonly faults: PasswordFaults | undefined;
  /** The message of the device about the password. */
  readonly refused: string | undefined;
  readonly onPassword: (password: string) => void;
  readonly onRepeated: (repeated: string) => void;
}

/** A new password, twice, with the rule for it. */
export function NewPasswordFields(props: NewPasswordFieldsProps) {
  const { password, repeated, faults, refused, onPassword, onRepeated } = props;
  const { t } = useTranslation('configuration');
  const isGuessable = refused?.startsWith('is too easy to guess') === true;
  const rule = t('password.rule', { min: MIN_DEVICE_PASSWORD_LENGTH, max: MAX_DEVICE_PASSWORD_LENGTH });
  return (
    <>
      <PasswordField
        label={t('password.new')}
        description={rule}
        autoComplete="new-password"
        required
        withAsterisk={false}
        value={password}
        error={
          isGuessable
            ? t('password.guessable')
            : (refused ?? (faults?.isLengthWrong === true && t('password.wrongLength')))
        }
        onChange={(event) => onPassword(event.currentTarget.value)}
      />
      <PasswordField
        label={t('password.repeat')}
        autoComplete="new-password"
        required
        withAsterisk={false}
        value={repeated}
        error={faults?.isRepeatedWrong === true && t('password.notTheSame')}
        onChange={(event) => onRepeated(event.currentTarget.value)}
      />
    </>
  );
}
