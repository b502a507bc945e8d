import { consentOperations } from '../oauth/consent.ts';
import { entryOperations } from '../portal/entry.ts';
import { catalogueOperations } from '../shop/catalogue.ts';

/** Operations of the cloud's own pages, which send the session cookie; they may change with any release. */
export const portalOperations = {
  ...entryOperations,
  ...consentOperations,
  ...catalogueOperations,
};
