import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { PlainName } from '../text/plain-text.ts';

/** Most saved views of an account. */
export const MAX_SITE_VIEWS = 50;
/** Longest name of a view, in characters. */
export const MAX_SITE_VIEW_NAME_LENGTH = 60;

/** A search of the list of sites, with a name. */
export const SiteView = Type.Object({
  name: PlainName({ maxLength: MAX_SITE_VIEW_NAME_LENGTH }),
  search: Type.String({
    maxLength: 2000,
    pattern: '^[\\x21-\\x7e]*$',
    description: "The part of the page's address behind its question mark, as q=tag%3Asouth&view=table",
  }),
});
export type SiteView = Static<typeof SiteView>;

export const SiteViews = Type.Object({ views: Type.Array(SiteView) });
export type SiteViews = Static<typeof SiteViews>;

export const SetSiteViewsBody = Type.Object(
  {
    views: Type.Array(SiteView, {
      maxItems: MAX_SITE_VIEWS,
      description: 'All views of the account, in their order. Of those with the same name the last one stays',
    }),
  },
  { additionalProperties: false },
);
export type SetSiteViewsBody = Static<typeof SetSiteViewsBody>;

export const siteViewOperations = operations('users', {
  getSiteViews: {
    route: 'GET /api/v1/user/site_views',
    summary: 'The views of the list of sites that the account saved',
    requires: 'own_token',
    answers: { 200: SiteViews },
  },

  setSiteViews: {
    route: 'PUT /api/v1/user/site_views',
    summary: 'Sets the saved views of the list of sites',
    requires: 'own_token',
    body: SetSiteViewsBody,
    invalidFields: 422,
    answers: { 200: SiteViews },
  },
});
