import { Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { OrganizationParams } from '../common/params.ts';
import { Id } from '../common/schemas.ts';

export const LogoParams = Type.Object({
  id: Id,
  digest: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 of the image, in hex',
    examples: ['0'.repeat(64)],
  }),
});

const Image = Type.Unsafe<Uint8Array>({ description: 'The image as it is, at most 256 KiB' });
const imageContent = { 'image/svg+xml': { schema: Image }, 'image/png': { schema: Image } };

export const logoOperations = operations('organizations', {
  getOrganizationLogo: {
    route: 'GET /api/v1/organizations/{id}/logo',
    summary: 'Leads to the logo; needs no token',
    requires: 'nothing',
    params: OrganizationParams,
    answers: { 302: NoContent },
    refusals: [404],
  },

  getOrganizationLogoVersion: {
    route: 'GET /api/v1/organizations/{id}/logo/{digest}',
    summary: 'One version of a logo; needs no token. A former one leads to the present one',
    requires: 'nothing',
    params: LogoParams,
    answers: { 200: { description: 'The image', content: imageContent }, 302: NoContent },
    refusals: [404],
  },

  removeOrganizationLogo: {
    route: 'DELETE /api/v1/organizations/{id}/logo',
    summary: 'Removes the logo; for owners and admins of the organization',
    requires: ['sites:write_all'],
    params: OrganizationParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  setOrganizationLogo: {
    route: 'PUT /api/v1/organizations/{id}/logo',
    summary: 'Sets the logo; for owners and admins of the organization',
    requires: ['sites:write_all'],
    params: OrganizationParams,
    body: { content: imageContent },
    bodyLimit: 256 * 1024,
    answers: { 204: NoContent },
    refusals: [404, 422],
  },
});
