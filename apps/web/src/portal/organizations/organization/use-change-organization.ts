import type { ChangeOrganizationBody } from '@heliograph/client';
import { useState } from 'react';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import { sessionQuery } from '../../session/session.ts';
import { organizationQuery } from './queries.ts';

/**
 * Changes an organization, and shows it everywhere.
 *
 * @param onSaved called once its new state is known
 */
export function useChangeOrganization(id: number, onSaved: () => void) {
  const [isSaved, setSaved] = useState(false);
  const change = useSubmit(
    async (changes: ChangeOrganizationBody) => {
      setSaved(false);
      const changed = await withFreshSignIn(() => cloud.updateOrganization({ id, ...changes }));
      queries.setQueryData(organizationQuery(id).queryKey, changed);
    },
    {
      onDone: () => {
        setSaved(true);
        onSaved();
        void refreshOrganization(id);
      },
    },
  );
  return { ...change, isSaved };
}

/** Its name, logo and colours are on every page of its own. */
export async function refreshOrganization(id: number): Promise<void> {
  await Promise.all([queries.invalidateQueries(organizationQuery(id)), refreshLists()]);
}

/** Of an organization that is gone nothing is asked again. */
export function forgetOrganization(id: number): void {
  queries.setQueryData(organizationQuery(id).queryKey, null);
  void refreshLists();
}

async function refreshLists(): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    queries.invalidateQueries({ queryKey: ['organizations'] }),
  ]);
}
