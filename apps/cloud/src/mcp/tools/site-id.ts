import { MAX_ID } from '@heliograph/contracts';
import { Type } from 'typebox';

/** Which site, as an argument. */
export const SiteId = Type.Integer({
  minimum: 1,
  maximum: MAX_ID,
  description: 'The number of the site, as find_sites answers it',
});
