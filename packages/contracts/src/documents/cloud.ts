import { cloudOperations } from '../operations/cloud.ts';
import type { Operation } from '../operations/operation.ts';
import { protocolOperations } from '../operations/protocols.ts';
import { CLOUD_SCHEMAS } from './cloud-schemas.ts';
import { CLOUD_TAGS, introductionOf, type OtherEndpoints } from './cloud-texts.ts';
import { type OpenApiDocument, openApiDocument } from './document.ts';

export type { OtherEndpoints } from './cloud-texts.ts';

/** The OpenAPI document of the cloud, without its address. */
export function cloudDocument(endpoints: OtherEndpoints): OpenApiDocument {
  return openApiDocument({
    title: 'Heliograph cloud',
    introduction: introductionOf(endpoints),
    tags: CLOUD_TAGS,
    operations: { ...cloudOperations, ...protocolOperations },
    schemas: CLOUD_SCHEMAS,
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    security,
  });
}

/** Alternatives, of which a token fulfils at least one; scopes of bearer tokens stand there since OpenAPI 3.1. */
function security({ requires }: Operation): { bearer: string[] }[] {
  if (requires === 'nothing') return [];
  if (typeof requires !== 'object' || requires.length === 0) return [{ bearer: [] }];
  return requires.map((scope) => ({ bearer: [scope] }));
}
