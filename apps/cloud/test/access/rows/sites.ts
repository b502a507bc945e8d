import type { AccessFixture, Target } from '../fixture.ts';
import { emptyRequest, site, uniqueName } from '../requests.ts';
import { type AccessRequest, accessRows } from '../row.ts';

export const SITE_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
listSites                   read        200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
countSites                  read        200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
getSite                     single
authorizeSite               single
renameSite                  write
registerOwnersDevice        write       404      404      404      404      404      200      200      200      404      404      404      404      404      404      404      403      403      401
probeSite                   single
listLocalSites              read        200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
registerFreeDevice          write       200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
getConsentedSite            single      404      200      404      200      200      200      200      200      200      200      200      200      200      200      200      200      404      401
describeSite                write
setSiteUpdates              write
setSiteTags                 write
setSiteInstallation         write
releaseSite                write       404      404      404      403      403      204      204      204      404      403      403      403      403      403      404      403      403      401
replaceSiteDevice           write       404      404      404      403      403      200      200      200      404      403      403      403      403      403      404      403      403      401
listSiteBackups              read
getSiteHistoryConsent      single
setSiteHistoryConsent       write      404      404      404      403      403      200      200      200      404      403      403      403      403      403      404      403      403      401
getSiteEnergy              single
getSiteHistory             single
getSiteOrganization         write
moveSite                    write
`,
  {
    listSites: { request: emptyRequest },
    countSites: { request: emptyRequest },
    getSite: { request: site },
    authorizeSite: { request: site },
    renameSite: {
      request: (target) => ({ ...site(target), body: { name: uniqueName() } }),
    },
    registerOwnersDevice: {
      of: 'registerSite',
      request: ({ uid }) => ({ body: { uid, name: uniqueName() } }),
    },
    probeSite: {
      request: (target) => ({ ...site(target), body: { uri: '/' } }),
    },
    listLocalSites: { request: emptyRequest },
    registerFreeDevice: {
      of: 'registerSite',
      request: async (_target, { cloud }) => ({
        body: { uid: await cloud.make.device(), name: uniqueName() },
      }),
    },
    getConsentedSite: {
      of: 'getSite',
      request: async ({ siteId }, { cloud, abroad }) => {
        await cloud.make.share(abroad, siteId);
        return { params: { id: siteId } };
      },
    },
    releaseSite: { request: site },
    replaceSiteDevice: {
      request: async (target, { cloud }) => ({ ...site(target), body: { uid: await cloud.make.device() } }),
    },
    listSiteBackups: { request: site },
    getSiteHistoryConsent: { request: site },
    setSiteHistoryConsent: {
      request: (target) => ({ ...site(target), body: { agreed: true } }),
    },
    getSiteEnergy: { request: siteWithHistory },
    getSiteHistory: { request: siteWithHistory },
    getSiteOrganization: { request: site },
    moveSite: {
      request: (target) => ({ ...site(target), body: { organization_id: null } }),
    },
    setSiteUpdates: {
      request: (target) => ({ ...site(target), body: { channel: 'beta', automatic: true } }),
    },
    setSiteTags: {
      request: (target) => ({ ...site(target), body: { tags: [uniqueName()] } }),
    },
    setSiteInstallation: {
      request: (target) => ({
        ...site(target),
        body: { peak_power_kwp: 9.9, latitude: 48.1, longitude: 11.6 },
      }),
    },
    describeSite: {
      request: (target) => ({ ...site(target), body: { description: uniqueName() } }),
    },
  },
);

/** A request about a site whose history the cloud keeps. */
async function siteWithHistory({ siteId }: Target, { cloud }: AccessFixture): Promise<AccessRequest> {
  await cloud.make.siteHistory(siteId);
  return { params: { id: siteId } };
}
