/** A site and its overview, which are shown together most, in one script. */
export { Page as OverviewPage } from './overview/overview-tab.tsx';
export { loader, Page as SitePage } from './site-page.tsx';
