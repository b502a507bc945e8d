import { TextInput } from '@mantine/core';
import { useDebouncedText } from '../../../shared/components/form/use-debounced-text.ts';

interface FilterFieldProps {
  readonly label: string;
  readonly value: string;
  /** Called when typing pauses. */
  readonly onChange: (value: string) => void;
}

export function FilterField({ label, value, onChange }: FilterFieldProps) {
  const { text, type } = useDebouncedText(value, onChange);
  return (
    <TextInput
      label={label}
      spellCheck={false}
      autoCapitalize="off"
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
