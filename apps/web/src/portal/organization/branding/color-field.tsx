import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './branding.module.css';
import { isColor } from './judge-colors.ts';

interface ColorFieldProps {
  readonly label: string;
  /** `#rrggbb`, or what of it is typed; null for none. */
  readonly value: string | null;
  readonly error?: string | undefined;
  readonly onChange: (color: string | null) => void;
}

/** What the picker shows while there is no colour: it must show one. */
const UNSET = '#808080';

/** A colour, to be typed or picked; empty for none. */
export function ColorField({ label, value, error, onChange }: ColorFieldProps) {
  const { t } = useTranslation('organization');
  const isPicked = value !== null && isColor(value);
  return (
    <TextInput
      label={label}
      placeholder={t('colors.none')}
      pattern="#[0-9A-Fa-f]{6}"
      title={t('colors.form')}
      maxLength={7}
      spellCheck={false}
      value={value ?? ''}
      error={error}
      leftSection={
        <input
          className={isPicked ? classes.picker : `${classes.picker} ${classes.unset}`}
          type="color"
          aria-label={t('colors.pick', { color: label })}
          value={isPicked ? value : UNSET}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      }
      leftSectionWidth={52}
      leftSectionPointerEvents="all"
      onChange={({ currentTarget: { value: text } }) => onChange(text === '' ? null : text)}
    />
  );
}
