import type { PageOperations } from '../../../src/serve/api/pages/page-operations.ts';

/** An operation that a test does not need: it answers 500. */
export const unused = (): never => {
  throw new Error('The test has no such operation');
};

/** Operations of the pages, of which those that are not given are unused. */
export function testPages(
  cloudUrl: string | null,
  operations: Omit<Partial<PageOperations>, 'claim'>,
): PageOperations {
  return {
    about: unused,
    claim: () => ({
      uid: 'a-device',
      state: 'unclaimed',
      reason: null,
      site_id: null,
      site_name: null,
      cloud_url: cloudUrl,
      registration_code: null,
    }),
    links: unused,
    diagnostics: unused,
    probes: { start: unused, report: unused, cancel: unused },
    receivers: { list: unused, test: unused },
    ...operations,
  };
}
