import { type Static, Type } from 'typebox';
import { PlainName } from './plain-text.ts';

/** Most tags of a site. */
export const MAX_SITE_TAGS = 20;
/** Longest tag, in characters. */
export const MAX_TAG_LENGTH = 40;

export const SetSiteTagsBody = Type.Object({
  tags: Type.Array(PlainName({ maxLength: MAX_TAG_LENGTH }), {
    maxItems: MAX_SITE_TAGS,
    description:
      'All tags of the site, without commas. Of those that differ in letter case only, the first one stays',
  }),
});
export type SetSiteTagsBody = Static<typeof SetSiteTagsBody>;

export const SiteTags = Type.Object({
  tags: Type.Array(Type.String(), { description: 'In the order of names' }),
});
export type SiteTags = Static<typeof SiteTags>;
