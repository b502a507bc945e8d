import { cloud } from '../../session/cloud.ts';
import { pagedQuery } from '../paged.ts';

/** The issuer of codes: an organization's id, or the service itself. */
export type Issuer = number | 'service';

export const activationCodes = (issuer: Issuer) =>
  issuer === 'service' ? cloud.activationCodes() : cloud.activationCodes(issuer);

export const codesQuery = (issuer: Issuer) =>
  pagedQuery(['activation', 'codes', issuer], (page) => activationCodes(issuer).list(page));

export const requestsQuery = pagedQuery(['activation', 'requests'], (page) =>
  cloud.activationRequests.list(page),
);
