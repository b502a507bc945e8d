import { CloseButton, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useDebouncedText } from './use-debounced-text.ts';

interface SearchFieldProps {
  readonly value: string;
  /** Called when typing pauses, or at once with Enter. */
  readonly onChange: (value: string) => void;
  /** The label for screen readers. */
  readonly label: string;
  readonly placeholder?: string;
}

/** Searches when typing pauses, not at every letter. */
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

function SearchIcon() {
  return (
    <svg
      width={18}
      height={18}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      aria-hidden="true"
    >
      <circle cx={10.5} cy={10.5} r={6.5} />
      <path d="M15.5 15.5L21 21" strokeLinecap="round" />
    </svg>
  );
}
