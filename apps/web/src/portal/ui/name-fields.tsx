import { hasFamilyNameFirst } from '@heliograph/kit/person-name';
import { TextInput, type TextInputProps } from '@mantine/core';
import { currentLocale } from '../../shared/i18n/i18n.ts';

interface NameFieldsProps {
  /** Whether they are the reader's own names, which the browser may fill in. */
  readonly areOwn?: boolean;
  readonly first: TextInputProps;
  readonly last: TextInputProps;
}

/** The fields of both names of a person, in the order of the reader's language. */
export function NameFields({ areOwn = false, first, last }: NameFieldsProps) {
  const fields = [
    <TextInput key="first" autoComplete={areOwn ? 'given-name' : 'off'} maxLength={255} {...first} />,
    <TextInput key="last" autoComplete={areOwn ? 'family-name' : 'off'} maxLength={255} {...last} />,
  ];
  return hasFamilyNameFirst(currentLocale()) ? fields.toReversed() : fields;
}
