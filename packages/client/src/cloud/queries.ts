/** A page of a list. */
export interface Page {
  /** The server returns 20 when it is left out, and never more than 200. */
  readonly limit?: number;
  /** How many to leave out before. */
  readonly offset?: number;
}

export interface SitesQuery extends Page {
  /** Words to search for, and exact filters such as `name:my-site`, joined with spaces. */
  readonly q?: string;
  /** Only what is that organization's or shared with it. */
  readonly organizationId?: number;
}

export interface OrganizationsQuery extends Page {
  /** The id, or part of the name or of the host. */
  readonly q?: string;
}

export interface UsersQuery extends Page {
  /** Words, each the beginning of one in the id, name, email or phone number. */
  readonly q?: string;
}

export interface NewSite {
  /** The device's identifier, as its pages show it. */
  readonly uid: string;
  /** Becomes the site's hostname on the proxy. */
  readonly name?: string;
  readonly description?: string;
}

export interface ActivationInput {
  readonly uid: string;
  /** Shown to the operator or employee who decides. */
  readonly message?: string;
  /** An activation code, which needs no decision. */
  readonly code?: string;
}
