import { SESSION_SCOPES } from '@heliograph/contracts';
import type { TestUser } from '../../factory.ts';
import type { TestCloud } from '../../test-cloud.ts';

/** A site of an organization, and one account of every role towards it. */
export interface Scene {
  readonly site: number;
  readonly organization: number;
  readonly owner: TestUser;
  readonly admin: TestUser;
  readonly member: TestUser;
  /** A second member. */
  readonly guest: TestUser;
  readonly stranger: TestUser;
  readonly operator: TestUser;
  readonly tokens: Readonly<
    Record<
      | 'owner'
      | 'admin'
      | 'member'
      | 'stranger'
      | 'operator'
      | 'operator in person'
      | "organization's owner"
      | "organization's admin"
      | "organization's admin in person"
      | "organization's admin who signed in long ago"
      | "organization's employee"
      | "another organization's admin"
      | 'customer'
      | 'operator for the organization'
      | 'operator for another organization'
      | 'owner for another organization',
      string
    >
  >;
}

export async function setScene({ make }: TestCloud): Promise<Scene> {
  const [organization, elsewhere] = [await make.organization(), await make.organization()];
  const [owner, admin, member, guest, stranger, customer, operator] = await Promise.all([
    make.user(),
    make.user(),
    make.user(),
    make.user(),
    make.user(),
    make.user({ customerOf: organization }),
    make.user({ staff: true }),
  ]);
  const { id: site } = await make.site({ ownerId: owner.id, organizationId: organization });
  await make.member(site, admin.id, 'admin');
  await make.member(site, member.id, 'member');
  await make.member(site, guest.id, 'member');
  const installer = await make.employee(organization, 'admin');
  const session = { kind: 'session', scopes: SESSION_SCOPES } as const;
  const employee = async (...employment: Parameters<typeof make.employee>) =>
    (await make.employee(...employment)).token;
  return {
    site,
    organization,
    owner,
    admin,
    member,
    guest,
    stranger,
    operator,
    tokens: {
      owner: owner.token,
      admin: admin.token,
      member: member.token,
      stranger: stranger.token,
      operator: operator.token,
      customer: customer.token,
      "organization's owner": await employee(organization, 'owner'),
      "organization's admin": installer.token,
      "organization's admin in person": await make.token(installer.id, session),
      "organization's admin who signed in long ago": await make.token(installer.id, {
        ...session,
        authenticatedAt: new Date(0),
      }),
      'operator in person': await make.token(operator.id, session),
      "organization's employee": await employee(organization, 'member'),
      "another organization's admin": await employee(elsewhere, 'admin'),
      'operator for the organization': await make.token(operator.id, { organizationId: organization }),
      'operator for another organization': await make.token(operator.id, { organizationId: elsewhere }),
      'owner for another organization': await make.token(owner.id, { organizationId: elsewhere }),
    },
  };
}
