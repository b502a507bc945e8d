import type { DeviceAuditEntry } from '@heliograph/client';
import type { TFunction } from 'i18next';

type T = TFunction<'settings'>;

export function actionLabel(t: T, action: DeviceAuditEntry['action']): string {
  switch (action) {
    case 'configuration.change':
      return t('audit.action.configuration');
    case 'configuration.revert':
      return t('audit.action.revert');
    case 'password.set':
      return t('audit.action.passwordSet');
    case 'password.change':
      return t('audit.action.passwordChange');
    case 'probe':
      return t('audit.action.probe');
    case 'sign_in.fail':
      return t('audit.action.signInFail');
    case 'sign_in.lockout':
      return t('audit.action.lockout');
  }
}

/** Null where the action says it all. */
export function auditOutcomeLabel(t: T, outcome: DeviceAuditEntry['outcome']): string | null {
  switch (outcome) {
    case 'ok':
      return null;
    case 'failed':
      return t('audit.outcome.failed');
    case 'found':
      return t('audit.outcome.found');
    case 'not found':
      return t('audit.outcome.notFound');
    case 'cancelled':
      return t('audit.outcome.cancelled');
    case 'unknown':
      return t('audit.outcome.unknown');
  }
}

export const AUDIT_TONES: Readonly<Record<DeviceAuditEntry['outcome'], 'good' | 'bad' | 'unsure'>> = {
  ok: 'good',
  failed: 'bad',
  found: 'good',
  'not found': 'unsure',
  cancelled: 'unsure',
  unknown: 'unsure',
};
