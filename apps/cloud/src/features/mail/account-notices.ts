import type { Locale } from '@heliograph/contracts';
import type { AccountNotice } from './jobs.ts';
import type { Letter } from './letter.ts';
import { oneLine } from './names.ts';
import { fill, textsOf } from './texts/index.ts';
import { timeIn } from './time-in.ts';

/** Where the button of each leads, on the pages of whoever writes. */
const PATHS = {
  passwordChanged: '/password',
  tokenCreated: '/user/tokens',
  unknownNetwork: '/user/security',
} as const satisfies Record<AccountNotice['kind'], string>;

/** A page to look at, without a token: whoever did not do it themselves is not to be signed in by a mail. */
export function noticeLink(portal: string, { kind }: AccountNotice): string {
  return `${portal}${PATHS[kind]}`;
}

/** What happened to an account, when and from where, and what to do about it. */
export function noticeMessage(
  notice: AccountNotice,
  locale: Locale,
  brand: string,
): Pick<Letter, 'subject' | 'paragraphs' | 'button' | 'remarks'> {
  const texts = textsOf(locale);
  const { subject, text, button, unexpected } = texts[notice.kind];
  const { time, address } = texts.accountNotice;
  const token = notice.kind === 'tokenCreated' ? notice : undefined;
  const scopes = token?.scopes
    .flatMap((scope) => (scope === 'openid' || scope === 'sites:read_single' ? [] : texts.tokenScopes[scope]))
    .join('; ');
  return {
    subject: fill(subject, { brand }),
    paragraphs: [
      fill(text, { brand, name: oneLine(token?.name ?? '') }),
      ...(scopes === undefined ? [] : [fill(texts.tokenCreated.scopes, { scopes })]),
      fill(time, { time: timeIn(locale, notice.at) }),
      ...(notice.address === null ? [] : [fill(address, { address: notice.address })]),
    ],
    button,
    remarks: [unexpected],
  };
}
