import type { SiteState } from '@heliograph/client';
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** A person, a site or an organization. */
export interface Named {
  readonly id: number;
  readonly name: string;
  /** Of a site. */
  readonly state?: SiteState;
}

/** The source of the choices of a field. */
export interface NamedLookup {
  /** Parts it from other lookups. */
  readonly key: readonly (string | number)[];
  /** Those that a text finds, the best first. */
  readonly search: (text: string) => Promise<readonly Named[]>;
  /** The one with an id; undefined where there is none. */
  readonly find: (id: number) => Promise<Named | undefined>;
}

/** How long typing has to pause, in milliseconds. */
const PAUSE_MS = 250;

const searchQuery = ({ key, search }: NamedLookup, text: string) =>
  queryOptions({
    queryKey: ['named', ...key, 'search', text],
    queryFn: () => search(text),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });

const nameQuery = ({ key, find }: NamedLookup, id: number) =>
  queryOptions({
    queryKey: ['named', ...key, id],
    queryFn: async () => (await find(id)) ?? null,
    enabled: Number.isInteger(id) && id > 0,
    retry: false,
  });

interface NamedFieldProps {
  readonly lookup: NamedLookup;
  readonly label: string;
  readonly description?: string;
  readonly error?: ReactNode;
  /** The id as a text; empty for none. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Holds the id of a person, site or organization, which is found by its name or entered as a number. */
export function NamedField({ lookup, label, description, error, value, onChange }: NamedFieldProps) {
  const { t } = useTranslation();
  const list = useId();
  const [typed, setTyped] = useState<string>();
  const [search] = useDebouncedValue(typed?.trim() ?? '', PAUSE_MS);
  const { data: found = [] } = useQuery(searchQuery(lookup, search));
  const { data: chosen } = useQuery(nameQuery(lookup, Number(value)));
  const choose = (text: string): void => {
    const match = found.find((each) => labelOf(each) === text);
    if (match !== undefined) {
      setTyped(undefined);
      onChange(String(match.id));
      return;
    }
    setTyped(text);
    if (/^\d*$/.test(text.trim())) onChange(text.trim());
  };
  return (
    <>
      <TextInput
        label={label}
        description={description}
        error={error}
        list={list}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="off"
        value={typed ?? (chosen ? labelOf(chosen) : value)}
        onChange={(event) => choose(event.currentTarget.value)}
        onBlur={() => setTyped(undefined)}
      />
      <datalist id={list}>
        {found.map((each) => (
          <option
            key={each.id}
            value={labelOf(each)}
            label={each.state && `${labelOf(each)} – ${t(`state.${each.state}`)}`}
          />
        ))}
      </datalist>
    </>
  );
}

/** The id parts those of the same name. */
function labelOf({ id, name }: Named): string {
  return `${name} (${id})`;
}
