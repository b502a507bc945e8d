import { CloseButton, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SearchIcon } from './search-icon.tsx';
import { useDebouncedText } from './use-debounced-text.ts';

interface SearchFieldProps {
  readonly value: string;
  /** Called when typing pauses, or at once with Enter. */
  readonly onChange: (value: string) => void;
  /** What is searched, for those who do not see what is around it. */
  readonly label: string;
  readonly placeholder?: string;
}

/** Searches as somebody types, not at every letter. */
export function SearchField({ value, onChange, label, placeholder = label }: SearchFieldProps) {
  const { t } = useTranslation();
  const { text, type, flush } = useDebouncedText(value, onChange);
  const clear = <CloseButton size={36} aria-label={t('search.clear')} onClick={() => flush('')} />;
  return (
    <TextInput
      // As a search field it would bring a second cross in some browsers.
      type="text"
      role="searchbox"
      enterKeyHint="search"
      autoComplete="off"
      spellCheck={false}
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') flush(text);
        if (event.key === 'Escape' && text !== '') flush('');
      }}
      leftSection={<SearchIcon />}
      rightSection={text === '' ? null : clear}
      style={{ flex: '1 1 14rem', maxWidth: '28rem' }}
    />
  );
}
