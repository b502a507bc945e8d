import type { DriverOption } from '@heliograph/client';
import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NumberOrDefault } from '../number-or-default.tsx';

interface OptionFieldProps {
  readonly option: DriverOption;
  /** Undefined: what the driver does by itself. */
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** What a driver wants to know besides. Its name and description come from the device, in English. */
export function OptionField({ option, value, error, onChange }: OptionFieldProps) {
  const { t } = useTranslation('configuration');
  const { name, type, choices } = option;
  const label = name.replaceAll('_', ' ');
  const description = option.description ?? '';
  switch (type) {
    case 'boolean':
      return (
        <Switch
          label={label}
          description={description}
          checked={value === true}
          error={error}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <NativeSelect
          label={label}
          description={description}
          value={value === undefined ? '' : String(value)}
          error={error}
          onChange={({ currentTarget }) =>
            onChange(choices.find((choice) => String(choice) === currentTarget.value))
          }
          data={[
            { value: '', label: t('connections.default') },
            ...choices.map((choice) => ({ value: String(choice), label: String(choice) })),
          ]}
        />
      );
    case 'number':
      return (
        <NumberOrDefault
          label={label}
          description={description}
          min={Number.NEGATIVE_INFINITY}
          max={Number.POSITIVE_INFINITY}
          value={typeof value === 'number' ? value : null}
          error={error}
          onChange={(number) => onChange(number ?? undefined)}
        />
      );
    case 'text':
      return (
        <TextInput
          label={label}
          description={description}
          value={typeof value === 'string' ? value : ''}
          error={error}
          onChange={({ currentTarget: { value: text } }) => onChange(text === '' ? undefined : text)}
        />
      );
  }
}
