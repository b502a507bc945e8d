import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../../shared/components/form/password-field.tsx';

interface BrokerPasswordProps {
  /** Undefined: stays as it is. */
  readonly value: string | undefined;
  readonly hasPassword: boolean;
  readonly error: string | undefined;
  readonly onChange: (password: string | undefined) => void;
}

/** A password that the device never shows: it is kept, replaced or removed. */
export function BrokerPassword({ value, hasPassword, error, onChange }: BrokerPasswordProps) {
  const { t } = useTranslation('configuration');
  const isRemoved = hasPassword && value === '';
  return (
    <div>
      <PasswordField
        label={t('mqtt.password')}
        description={hasPassword ? t('mqtt.passwordKept') : t('mqtt.passwordNone')}
        autoComplete="off"
        value={value ?? ''}
        error={error}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value === '' ? undefined : currentTarget.value)
        }
      />
      {hasPassword && (
        <Group gap="sm" mt={4}>
          <Button
            variant="subtle"
            size="compact-md"
            mih={44}
            onClick={() => onChange(isRemoved ? undefined : '')}
          >
            {isRemoved ? t('mqtt.passwordKeep') : t('mqtt.passwordRemove')}
          </Button>
          {isRemoved && <Text size="sm">{t('mqtt.passwordGoes')}</Text>}
        </Group>
      )}
    </div>
  );
}
