import { useQueryClient } from '@tanstack/react-query';
import { siteQuery } from '../queries.ts';
import { useSite } from '../site-context.tsx';

/** Changes who has which role on the site of the page, which then shows it. */
export function useChangeMembers(): <T>(change: () => Promise<T>) => Promise<T> {
  const queries = useQueryClient();
  const { site } = useSite();
  return async (change) => {
    try {
      return await change();
    } finally {
      // A refusal may mean that another person has changed the members meanwhile.
      await queries.invalidateQueries({ queryKey: siteQuery(site.id).queryKey, exact: true });
    }
  };
}
