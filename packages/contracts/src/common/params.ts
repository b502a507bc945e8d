import { Type } from 'typebox';
import { Id } from './schemas.ts';

export const SiteParams = Type.Object({ id: Id });

export const OrganizationParams = Type.Object({ id: Id });
