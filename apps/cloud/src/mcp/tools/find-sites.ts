import { truncate, truncateOrNull } from '@heliograph/kit';
import type { Tool } from '@heliograph/mcp';
import { type Static, Type } from 'typebox';
import type { Caller } from '../../access/caller.ts';
import type { SiteListPlatform } from '../../sites/platform.ts';
import { listBriefSites, MAX_COUNTED } from '../../sites/sites/list-sites.ts';
import type { BriefSite } from '../../sites/sites/present.ts';
import { DEFAULT_ROWS, MAX_ROWS, nextOffset, pageArguments } from './pages.ts';

const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const Input = Type.Object(
  {
    search: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          "Words that must all be found, each as the beginning of a word of the site's name, description, owner or " +
          'device; every site when left out',
      }),
    ),
    online: Type.Optional(
      Type.Boolean({
        description: 'true: only sites that are online now. false: only those that are offline',
      }),
    ),
    inverter: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only sites with this inverter model' }),
    ),
    battery: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only sites with this battery or BMS model' }),
    ),
    ...pageArguments,
  },
  { additionalProperties: false },
);

const FoundSite = Type.Object({
  id: Type.Integer({ description: 'The site_id of other tools' }),
  name: textOrNull('Null while the site has no name'),
  online: Type.Boolean({ description: 'Whether its device is connected now' }),
  last_seen_at: textOrNull('When its device last reached the cloud, ISO 8601 in UTC; null: never'),
  inverter: textOrNull('Inverter model; null: unknown'),
  battery: textOrNull('Battery or BMS model; null: none, or unknown'),
  owner: Type.String({ description: "The owner's name, or the email address where no name is known" }),
});

const Output = Type.Object({
  sites: Type.Array(FoundSite, { maxItems: MAX_ROWS }),
  total: Type.Integer({
    maximum: MAX_COUNTED,
    description: `How many sites match, on all pages together; ${MAX_COUNTED} means ${MAX_COUNTED} or more`,
  }),
  next_offset: nextOffset,
});

/** Sites by words and filters. */
export function findSites(platform: SiteListPlatform): Tool<Caller, typeof Input, typeof Output> {
  return {
    name: 'find_sites',
    title: 'Find sites',
    description:
      'The sites (homes with a solar installation) that the account sees, with the id that the other tools take as ' +
      'site_id. Call it first. Answers for each site its name, whether it is online, when it was last seen, inverter, ' +
      'battery and owner, and how many match: "how many sites are offline?" is online false. Operators of the service get ' +
      `the newest first, everybody else an order by name. ${DEFAULT_ROWS} a page unless limit says otherwise; where ` +
      'next_offset is not null, the same call with offset set to it gives the next page.',
    input: Input,
    output: Output,
    isFor: ({ scopes }) => scopes.has('sites:read_all'),
    async run({ limit = DEFAULT_ROWS, offset = 0, ...wanted }, caller) {
      const found = await listBriefSites(platform, caller, { q: queryOf(wanted), limit, offset });
      const end = offset + found.sites.length;
      const isCounted = found.total < MAX_COUNTED;
      const isAll = found.sites.length < limit || (isCounted && found.total <= end);
      return {
        sites: found.sites.map(presentFound),
        total: found.total,
        next_offset: isAll ? null : end,
      };
    },
  };
}

/** The query in the search syntax of lists. A model may have several words, so models come last. */
function queryOf({ search = '', online, inverter, battery }: Static<typeof Input>): string {
  const terms = [search];
  if (online !== undefined) terms.unshift(`online:${online}`);
  if (inverter !== undefined) terms.push(`inverter:${inverter.trim()}`);
  if (battery !== undefined) terms.push(`battery:${battery.trim()}`);
  return terms.join(' ');
}

function presentFound(site: BriefSite): Static<typeof FoundSite> {
  return {
    id: site.id,
    name: truncateOrNull(site.name),
    online: site.online,
    last_seen_at: site.lastSeenAt,
    inverter: truncateOrNull(site.inverter),
    battery: truncateOrNull(site.battery),
    owner: truncate(site.ownerName),
  };
}
