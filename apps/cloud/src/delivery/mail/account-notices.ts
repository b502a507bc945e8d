import type { Locale } from '@heliograph/contracts';
import { fill } from '@heliograph/locales/read';
import type { AccountNotice } from './jobs.ts';
import type { Letter } from './letter.ts';
import { oneLine } from './names.ts';
import { textsOf } from './texts.ts';
import { timeIn } from './time-in.ts';

/** Target of each notice's button, below the portal of the sender. */
export const NOTICE_PATHS = {
  passwordChanged: '/password',
  exportReady: '/user/data',
  deletionRequested: '/user/data',
  deletionCancelled: '/user/security',
  organizationClosed: '/organizations',
  siteMoved: '/sites',
  siteLeft: '/sites',
  deviceRecovered: '/sites',
  deviceReplaced: '/sites',
  emailChangeRequested: '/password',
  emailChanged: '/sign_in',
  tokenCreated: '/user/tokens',
  unknownNetwork: '/user/security',
  webhookEnded: '/user/webhooks',
  webhookCreated: '/user/webhooks',
  siteShared: '/user/security',
  pushMoved: '/user/notifications',
  delegationsSuspended: '/user/security',
} as const satisfies Record<AccountNotice['kind'], string>;

/** A link without a token: a mail about another person's doing must not sign anyone in. */
export function noticeLink(
  portal: string,
  { kind, organizationId }: AccountNotice & { readonly organizationId: number | null },
): string {
  if ((kind === 'webhookEnded' || kind === 'webhookCreated') && organizationId !== null)
    return `${portal}/organizations/${organizationId}/webhooks`;
  return `${portal}${NOTICE_PATHS[kind]}`;
}

export function noticeMessage(
  notice: AccountNotice,
  locale: Locale,
  brand: string,
): Pick<Letter, 'subject' | 'paragraphs' | 'button' | 'remarks'> {
  const texts = textsOf(locale);
  const { subject, text, button, unexpected } = texts[notice.kind];
  const { time, address } = texts.accountNotice;
  const token = notice.kind === 'tokenCreated' ? notice : undefined;
  const name = 'name' in notice ? oneLine(notice.name) : '';
  const organization = 'organization' in notice ? oneLine(notice.organization) : '';
  const due = 'dueAt' in notice ? timeIn(locale, notice.dueAt) : '';
  const email = 'newEmail' in notice ? notice.newEmail : '';
  const scopes = token?.scopes
    .flatMap((scope) => (scope === 'openid' || scope === 'sites:read_single' ? [] : texts.tokenScopes[scope]))
    .join('; ');
  return {
    subject: fill(subject, { brand, name, organization }),
    paragraphs: [
      fill(text, { brand, email, due, name, organization }),
      ...(scopes === undefined ? [] : [fill(texts.tokenCreated.scopes, { scopes })]),
      fill(time, { time: timeIn(locale, notice.at) }),
      ...(notice.address === null ? [] : [fill(address, { address: notice.address })]),
    ],
    button,
    remarks: [unexpected],
  };
}
