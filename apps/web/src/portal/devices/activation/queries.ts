import { cloud } from '../../session/cloud.ts';
import { pagedQuery } from '../../ui/lists/paged.ts';

/** The issuer of codes: an organization's id, or the service itself. */
export type Issuer = number | 'service';

export const codesQuery = (issuer: Issuer) =>
  pagedQuery(['activation', 'codes', issuer], (page) =>
    issuer === 'service'
      ? cloud.listServiceActivationCodes(page)
      : cloud.listActivationCodes({ id: issuer, ...page }),
  );

export const requestsQuery = pagedQuery(['activation', 'requests'], (page) =>
  cloud.listActivationRequests(page),
);
