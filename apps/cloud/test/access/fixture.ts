import { API_TOKEN_SCOPES, type Scope, SESSION_SCOPES } from '@heliograph/contracts';
import type { TestUser } from '../factory.ts';
import type { TestCloud } from '../test-cloud.ts';

const OAUTH_SCOPES: readonly Scope[] = ['openid', 'sites:read_single'];
const MCP_SCOPES: readonly Scope[] = [
  'openid',
  'sites:read_all',
  'users:read_all',
  'orders:read_all',
  'products:read_all',
];

/** Made one by one, the records of the cases take as long as the requests. */
const TARGET_CONCURRENCY = 50;

/** Records of one case, so that no case changes those of another. */
export interface Target {
  readonly siteId: number;
  readonly uid: string;
  /** A member of this site alone. */
  readonly memberId: number;
}

/** The accounts of the matrix, whose relations to every target's site are the same. */
export class AccessFixture {
  readonly cloud: TestCloud;
  readonly home: number;
  readonly abroad: number;
  readonly owner: TestUser;
  readonly #admin: TestUser;
  readonly #member: TestUser;
  /** Another site of the owner. */
  readonly #otherSite: number;
  readonly #tokens: Readonly<Record<string, string>>;
  /** Targets that no case has taken. */
  readonly #spare: Target[] = [];
  #making: Promise<void> | undefined;

  private constructor(options: {
    cloud: TestCloud;
    home: number;
    abroad: number;
    owner: TestUser;
    admin: TestUser;
    member: TestUser;
    otherSite: number;
    tokens: Readonly<Record<string, string>>;
  }) {
    this.cloud = options.cloud;
    this.home = options.home;
    this.abroad = options.abroad;
    this.owner = options.owner;
    this.#admin = options.admin;
    this.#member = options.member;
    this.#otherSite = options.otherSite;
    this.#tokens = options.tokens;
  }

  static async make(cloud: TestCloud): Promise<AccessFixture> {
    const { make } = cloud;
    await cloud.announce('us-1');
    const [home, abroad] = [await make.organization(), await make.organization()];
    const [owner, admin, member] = [await make.user(), await make.user(), await make.user()];
    const { id: otherSite } = await make.site({ ownerId: owner.id, organizationId: home });
    const rival = await make.employee(abroad, 'admin');
    const manager = await make.employee(home, 'admin');
    const staff = await make.user({ staff: true });
    const scopes = API_TOKEN_SCOPES;
    const tokens = {
      stranger: (await make.user()).token,
      rival: await make.token(rival.id, { scopes, organizationId: abroad }),
      customer: await make.token((await make.user({ customerOf: home })).id, {
        scopes,
        organizationId: home,
      }),
      member: member.token,
      admin: admin.token,
      owner: owner.token,
      inHome: await make.token(owner.id, { scopes, organizationId: home }),
      abroad: await make.token(owner.id, { scopes, organizationId: abroad }),
      clerk: await make.token((await make.employee(home, 'member')).id, { scopes, organizationId: home }),
      manager: await make.token(manager.id, { scopes, organizationId: home }),
      boss: await make.token((await make.employee(home, 'owner')).id, { scopes, organizationId: home }),
      roving: manager.token,
      staff: staff.token,
      posted: await make.token(staff.id, { scopes, organizationId: abroad }),
      mcp: await make.token(owner.id, { kind: 'mcp', scopes: MCP_SCOPES }),
    };
    return new AccessFixture({ cloud, home, abroad, owner, admin, member, otherSite, tokens });
  }

  /** A site of the owner in the organization home, with the admin, the member and one member more. */
  async target(): Promise<Target> {
    for (;;) {
      const target = this.#spare.pop();
      if (target !== undefined) return target;
      this.#making ??= this.#makeTargets().finally(() => {
        this.#making = undefined;
      });
      await this.#making;
    }
  }

  async #makeTargets(): Promise<void> {
    const { db, make } = this.cloud;
    const extras = await make.users(TARGET_CONCURRENCY);
    const sites = await make.sites(TARGET_CONCURRENCY, {
      ownerId: this.owner.id,
      organizationId: this.home,
      device: { organizationId: this.home },
    });
    const targets = sites.map(({ id, uid }, index) => ({ siteId: id, uid, memberId: Number(extras[index]) }));
    const members = targets.flatMap(({ siteId, memberId }) => [
      { site_id: siteId, user_id: this.#admin.id, role: 'admin' as const },
      { site_id: siteId, user_id: this.#member.id, role: 'member' as const },
      { site_id: siteId, user_id: memberId, role: 'member' as const },
    ]);
    await db.insertInto('site_members').values(members).execute();
    this.#spare.push(...targets);
  }

  /** A token of a caller; those of applications are for one site. */
  async tokenOf(caller: string, target: Target): Promise<string> {
    if (caller === 'oauth' || caller === 'other') {
      return this.cloud.make.token(this.owner.id, {
        kind: 'oauth',
        scopes: OAUTH_SCOPES,
        siteId: caller === 'oauth' ? target.siteId : this.#otherSite,
        applicationOrganizationId: this.abroad,
      });
    }
    // Signing out ends the session, so each case has its own.
    if (caller === 'session') {
      return this.cloud.make.token(this.owner.id, { kind: 'session', scopes: SESSION_SCOPES });
    }
    const token = this.#tokens[caller];
    if (token === undefined) throw new Error(`There is no caller ${caller}`);
    return token;
  }
}
