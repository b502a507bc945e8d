import { personName } from '../../../shared/format/person-name.ts';
import { cloud } from '../../session/cloud.ts';
import type { NamedLookup } from '../../ui/named-field.tsx';

const CHOICES = 10;

const searchUsers: NamedLookup['search'] = async (q) =>
  (await cloud.listUsers({ q, limit: CHOICES })).map((user) => ({ id: user.id, name: personName(user) }));

/** Everything of the service, which operators find by its name. */
export const LOOKUPS = {
  user: {
    key: ['operator', 'user'],
    search: searchUsers,
    find: async (id) => (await searchUsers(String(id))).find((user) => user.id === id),
  },
  site: {
    key: ['operator', 'site'],
    search: async (q) =>
      (await cloud.listSites({ q, limit: CHOICES })).map(({ id, name, state }) => ({
        id,
        name: name ?? '',
        state,
      })),
    find: async (id) => ({ id, name: (await cloud.getSite({ id })).name ?? '' }),
  },
  organization: {
    key: ['operator', 'organization'],
    search: (q) => cloud.listOrganizations({ q, limit: CHOICES }),
    find: (id) => cloud.getOrganization({ id }),
  },
} as const satisfies Readonly<Record<string, NamedLookup>>;
