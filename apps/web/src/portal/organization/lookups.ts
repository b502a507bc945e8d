import { foldText } from '@heliograph/contracts/folded-text';
import { personName } from '../../shared/format/person-name.ts';
import type { Named, NamedLookup } from '../parts/named-field.tsx';
import { cloud } from '../session/cloud.ts';

const CHOICES = 10;

/** Members of a team: the first page of their list, which few teams exceed. */
const MEMBERS = 200;

/** Finds the members of an organization, its sites and their owners by name, for its managers. */
export function lookupsOf(organizationId: number) {
  const sites = (q: string) => cloud.listSites({ organization_id: organizationId, q, limit: CHOICES });
  const people = async (q: string): Promise<Named[]> => {
    const [members, found] = await Promise.all([
      cloud.listOrganizationMembers({ id: organizationId, limit: MEMBERS }),
      sites(q),
    ]);
    const all = [...members, ...found.map(({ owner }) => owner)];
    return [...new Map(all.map((person) => [person.id, person])).values()].map((person) => ({
      id: person.id,
      name: personName(person),
    }));
  };
  return {
    user: {
      key: ['organization', organizationId, 'user'],
      search: async (text) => (await people(text)).filter(({ name }) => isIn(text, name)).slice(0, CHOICES),
      find: async (id) => (await people(`user_id:${id}`)).find((person) => person.id === id),
    },
    site: {
      key: ['organization', organizationId, 'site'],
      search: async (text) =>
        (await sites(text)).map(({ id, name, state }) => ({ id, name: name ?? '', state })),
      find: async (id) => ({ id, name: (await cloud.getSite({ id })).name ?? '' }),
    },
  } as const satisfies Readonly<Record<string, NamedLookup>>;
}

/** Whether each word of a text is in a name, in any letter case. */
function isIn(text: string, name: string): boolean {
  const whole = foldText(name);
  return foldText(text)
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
