import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { personName } from '../parts/person-name.ts';
import { cloud } from '../session/cloud.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

interface Lookup {
  /** Those that a text finds. */
  readonly search: (text: string) => Promise<readonly Named[]>;
  /** The one with an id; undefined where there is none. */
  readonly find: (id: number) => Promise<Named | undefined>;
}

const CHOICES = 10;
/** How long typing has to pause, in milliseconds. */
const PAUSE_MS = 250;

const searchUsers: Lookup['search'] = async (q) =>
  (await cloud.listUsers({ q, limit: CHOICES })).map((user) => ({ id: user.id, name: personName(user) }));

const LOOKUPS = {
  user: {
    search: searchUsers,
    find: async (id) => (await searchUsers(String(id))).find((user) => user.id === id),
  },
  site: {
    search: async (q) =>
      (await cloud.listSites({ q, limit: CHOICES })).map(({ id, name }) => ({ id, name: name ?? '' })),
    find: async (id) => ({ id, name: (await cloud.getSite({ id })).name ?? '' }),
  },
  organization: {
    search: (q) => cloud.listOrganizations({ q, limit: CHOICES }),
    find: (id) => cloud.getOrganization({ id }),
  },
} as const satisfies Readonly<Record<string, Lookup>>;

type Kind = keyof typeof LOOKUPS;

const searchQuery = (kind: Kind, text: string) =>
  queryOptions({
    queryKey: ['operator', 'named', kind, 'search', text],
    queryFn: (): Promise<readonly Named[]> => LOOKUPS[kind].search(text),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });

const nameQuery = (kind: Kind, id: number) =>
  queryOptions({
    queryKey: ['operator', 'named', kind, id],
    queryFn: async () => (await LOOKUPS[kind].find(id)) ?? null,
    enabled: Number.isInteger(id) && id > 0,
    retry: false,
  });

interface NamedFieldProps {
  readonly kind: Kind;
  readonly label: string;
  readonly description?: string;
  readonly error?: ReactNode;
  /** The id as a text; empty for none. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Holds the id of a person, site or organization, which is found by its name or entered as a number. */
export function NamedField({ kind, label, description, error, value, onChange }: NamedFieldProps) {
  const list = useId();
  const [typed, setTyped] = useState<string>();
  const [search] = useDebouncedValue(typed?.trim() ?? '', PAUSE_MS);
  const { data: found = [] } = useQuery(searchQuery(kind, search));
  const { data: chosen } = useQuery(nameQuery(kind, Number(value)));
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
          <option key={each.id} value={labelOf(each)} />
        ))}
      </datalist>
    </>
  );
}

/** The id parts those of the same name. */
function labelOf({ id, name }: Named): string {
  return `${name} (${id})`;
}
