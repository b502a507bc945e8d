import { NumberInput } from '@mantine/core';

interface NumberOrDefaultProps {
  readonly label: string;
  readonly description: string;
  readonly unit?: string;
  /** Null where the default is to hold. */
  readonly value: number | null;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly error: string | undefined;
  readonly onChange: (value: number | null) => void;
}

/** A number that may be left empty; then holds what the device does by itself. */
export function NumberOrDefault({ unit, value, onChange, ...props }: NumberOrDefaultProps) {
  return (
    <NumberInput
      {...props}
      value={value ?? ''}
      onChange={(entered) => onChange(typeof entered === 'number' ? entered : null)}
      clampBehavior="none"
      hideControls
      styles={{ wrapper: { maxWidth: '14rem' } }}
      inputMode="decimal"
      {...(unit !== undefined && { suffix: ` ${unit}` })}
    />
  );
}
