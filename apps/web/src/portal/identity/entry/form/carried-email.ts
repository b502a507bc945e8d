import { useHistoryState } from 'wouter/use-browser-location';

/** The state that one page of entry passes to the next. */
interface Carried {
  readonly email: string;
}

/** The `state` of a link that takes an email address along: the history keeps it, and no address shows it. */
export function emailState(email: string): Carried {
  return { email: email.trim() };
}

/** The email address that was typed on the page before; undefined when none was. */
export function useCarriedEmail(): string | undefined {
  const { email } = useHistoryState<Partial<Carried> | null>() ?? {};
  return typeof email === 'string' && email !== '' ? email : undefined;
}
