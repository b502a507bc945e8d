import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EXPIRIES, type Expiry } from './expiry.ts';

interface ExpiryChoiceProps {
  readonly expiry: Expiry;
  /** `2026-12-31`, where a date is chosen. */
  readonly date: string;
  readonly error?: string | undefined;
  readonly onExpiry: (expiry: Expiry) => void;
  readonly onDate: (date: string) => void;
}

const TEXTS = {
  never: 'expiry.never',
  '30': 'expiry.month',
  '90': 'expiry.quarter',
  '365': 'expiry.year',
  date: 'expiry.date',
} as const satisfies Record<Expiry, string>;

export function ExpiryChoice({ expiry, date, error, onExpiry, onDate }: ExpiryChoiceProps) {
  const { t } = useTranslation('account');
  return (
    <Group gap="md" align="flex-start">
      <NativeSelect
        label={t('expiry.label')}
        description={expiry === 'never' ? undefined : t('expiry.hint')}
        miw="14rem"
        value={expiry}
        error={expiry === 'date' ? undefined : error}
        data={EXPIRIES.map((value) => ({ value, label: t(TEXTS[value]) }))}
        onChange={(event) => onExpiry(EXPIRIES.find((one) => one === event.currentTarget.value) ?? 'never')}
      />
      {expiry === 'date' && (
        <TextInput
          type="date"
          label={t('expiry.lastDay')}
          required
          value={date}
          error={error}
          onChange={(event) => onDate(event.currentTarget.value)}
        />
      )}
    </Group>
  );
}
