import type { AccessFixture, Target } from './fixture.ts';
import type { AccessRequest } from './row.ts';

/** A request about the organization home. */
export const homeOrganization = (_target: Target, fixture: AccessFixture): AccessRequest => ({
  params: { id: fixture.home },
});

export const emptyRequest = (): AccessRequest => ({});

let count = 0;
export const uniqueName = (): string => `name${++count}`;

/** A request about the target's site. */
export const site = ({ siteId }: Target): AccessRequest => ({ params: { id: siteId } });

/** The path of an operation's route, with its parameters. */
export function pathOf(route: string, params: AccessRequest['params'] = {}): string {
  return route.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
}
