import type {
  ActivationCode,
  ActivationRequest,
  CreatedActivationCode,
  DeviceSummary,
  Locale,
  RequestActivationAnswer,
  SiteWithToken,
} from '@heliograph/contracts';
import { fullName } from '@heliograph/kit/person-name';
import type { ActivationCodeRecord } from './codes.ts';
import type { RequestRecord } from './requests.ts';

export function presentActivated(site: SiteWithToken): RequestActivationAnswer {
  return { status: 'activated', ...site };
}

/** There is no trial: the fields are for clients that expect them. */
export function presentRequested(): RequestActivationAnswer {
  return { status: 'requested', site_id: null, site_name: null, trial_expires_at: null };
}

/** @param locale of the reader */
export function presentRequest(
  request: RequestRecord,
  device: DeviceSummary,
  locale: Locale,
): ActivationRequest {
  return {
    uid: request.uid,
    user: {
      id: request.userId,
      email: request.email,
      name: fullName({ first_name: request.firstName, last_name: request.lastName }, locale),
    },
    organization_id: request.organizationId,
    message: request.message,
    requested_at: request.requestedAt.toISOString(),
    device,
  };
}

export function presentNewCode(record: ActivationCodeRecord, code: string): CreatedActivationCode {
  const { id, uses_left, expires_at } = presentCode(record);
  return { id, code, uses_left, expires_at };
}

export function presentCode(record: ActivationCodeRecord): ActivationCode {
  return {
    id: record.id,
    uses_left: record.usesLeft,
    expires_at: record.expiresAt?.toISOString() ?? null,
    created_at: record.createdAt.toISOString(),
    created_by: record.createdBy,
  };
}
