import { NativeSelect } from '@mantine/core';

interface FilterSelectProps {
  /** For screen readers. */
  readonly label: string;
  readonly value: string;
  /** The choice that filters nothing. */
  readonly all: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly onChange: (value: string) => void;
}

/** A filter of a list; empty for all of it. */
export function FilterSelect({ label, value, all, choices, onChange }: FilterSelectProps) {
  const data = Object.entries(choices).map(([choice, text]) => ({ value: choice, label: text }));
  return (
    <NativeSelect
      aria-label={label}
      value={value}
      data={[{ value: '', label: all }, ...data]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
