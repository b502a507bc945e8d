import { PASSWORD_RULES, type PasswordRule, unmetRules } from '@heliograph/contracts/password-rules';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../../../shared/components/form/password-field.tsx';
import classes from './new-password-field.module.css';

interface NewPasswordFieldProps {
  readonly label: string;
  readonly error: string | undefined;
}

/** Shows during typing which rules the password does not meet yet. Its value is the field `password` of the form. */
export function NewPasswordField({ label, error }: NewPasswordFieldProps) {
  const { t } = useTranslation('entry');
  const [password, setPassword] = useState('');
  const missing = unmetRules(password);
  const labels: Readonly<Record<PasswordRule, string>> = {
    length: t('rule.length'),
    lower: t('rule.lower'),
    upper: t('rule.upper'),
    other: t('rule.other'),
  };
  const rule = PASSWORD_RULES.map((ingredient) => (
    <span key={ingredient} className={classes.ingredient} data-met={!missing.includes(ingredient)}>
      {labels[ingredient]}
    </span>
  ));
  return (
    <PasswordField
      name="password"
      label={label}
      autoComplete="new-password"
      maxLength={1000}
      value={password}
      onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      error={error}
      description={rule}
      descriptionProps={{ className: classes.rule }}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
    />
  );
}
