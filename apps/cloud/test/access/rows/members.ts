import type { AccessFixture } from '../fixture.ts';
import { emptyRequest, site, uniqueName } from '../requests.ts';
import { accessRows } from '../row.ts';

/** The owner is added to the site of another account. */
async function invited({ cloud, owner }: AccessFixture) {
  const { id } = await cloud.make.site();
  await cloud.make.siteInvitation(id, owner.id);
  return { params: { site_id: id } };
}

export const MEMBER_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
listSiteMembers             single
inviteSiteMember            write       404      404      404      403      200      200      200      200      404      403      403      403      403      403      404      403      403      401
updateSiteMember            write       404      404      404      403      200      200      200      200      404      403      403      403      403      403      404      403      403      401
transferSite                write       404      404      404      403      403      200      200      200      404      403      403      403      403      403      404      403      403      401
removeSiteMember            write       404      404      404      403      204      204      204      204      404      403      403      403      403      403      404      403      403      401
removeSiteOwner             write       404      404      404      403      403      403      403      403      404      403      403      403      403      403      404      403      403      401
removeConsentedSiteMember   write       404      403      404      403      204      204      204      204      403      403      403      403      403      403      403      403      403      401
recallSite                  write       404      404      404      404      404      204      204      204      404      404      404      404      404      404      404      403      403      401
listSiteInvitations         any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
acceptSiteInvitation        any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
declineSiteInvitation       any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
`,
  {
    listSiteMembers: { request: site },
    inviteSiteMember: {
      request: (target) => ({
        ...site(target),
        body: {
          email: `${uniqueName()}@example.org`,
          role: 'member',
          first_name: 'Ada',
          last_name: 'Example',
        },
      }),
    },
    updateSiteMember: {
      request: ({ siteId, memberId }) => ({
        params: { id: siteId, user_id: memberId },
        body: { role: 'admin' },
      }),
    },
    transferSite: {
      of: 'updateSiteMember',
      request: ({ siteId, memberId }) => ({
        params: { id: siteId, user_id: memberId },
        body: { role: 'owner' },
      }),
    },
    removeSiteMember: {
      request: ({ siteId, memberId }) => ({ params: { id: siteId, user_id: memberId } }),
    },
    removeSiteOwner: {
      of: 'removeSiteMember',
      request: ({ siteId }, { owner }) => ({ params: { id: siteId, user_id: owner.id } }),
    },
    removeConsentedSiteMember: {
      of: 'removeSiteMember',
      request: async ({ siteId, memberId }, { cloud, abroad }) => {
        await cloud.make.share(abroad, siteId);
        return { params: { id: siteId, user_id: memberId } };
      },
    },
    recallSite: {
      request: async ({ siteId, memberId }, { cloud, owner }) => {
        await cloud.make.transfer(siteId, owner.id, memberId);
        return { params: { id: siteId } };
      },
    },
    listSiteInvitations: { request: emptyRequest },
    acceptSiteInvitation: {
      request: async (_target, fixture) => ({ ...(await invited(fixture)), body: {} }),
    },
    declineSiteInvitation: { request: (_target, fixture) => invited(fixture) },
  },
);
