import { useSearchParams } from 'wouter';

interface Filter<Name extends string> {
  /** The values in the address; empty for a filter that is not set. */
  readonly values: Readonly<Record<Name, string>>;
  /** Sets one and keeps the others; the page stays the same one for the back button. */
  readonly set: (name: Name, value: string) => void;
}

/** The filters of a list, in the address: a link to it shows the same list. */
export function useFilter<const Name extends string>(...names: readonly Name[]): Filter<Name> {
  const [search, setSearch] = useSearchParams();
  const values = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<
    Name,
    string
  >;
  const set = (name: Name, value: string): void => {
    const next = Object.entries<string>({ ...values, [name]: value }).filter(([, text]) => text !== '');
    setSearch(Object.fromEntries(next), { replace: true });
  };
  return { values, set };
}
