import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_TOKEN_SCOPES, SCOPES, SESSION_SCOPES } from '@heliograph/contracts';
import { describe, expect, it } from 'vitest';
import type { RateRule } from '../common/limits/rate-limits.ts';
import * as activation from '../devices/activation/limits.ts';
import * as devices from '../devices/devices/limits.ts';
import * as accounts from '../identity/accounts/limits.ts';
import * as botCheck from '../identity/bot-check/bot-check.ts';
import * as secondFactor from '../identity/second-factor/limits.ts';
import * as tokens from '../identity/tokens/create-token.ts';
import * as invitations from '../organizations/invitations/limits.ts';
import * as registration from '../sites/sites/registration.ts';
import * as recovery from '../support/recovery-sessions/limits.ts';
import * as tickets from '../support/tickets/limits.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../docs/api.md'), 'utf8');

/** The cells of the table with a title row, row by row. */
function tableOf(titles: string): string[][] {
  const [, rows = ''] = GUIDE.split(`\n${titles}\n`)[1]?.match(/^.*\n((?:\|.*\n)+)/) ?? [];
  return rows
    .trimEnd()
    .split('\n')
    .map((row) => row.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

describe('docs/api.md', () => {
  it('the guide lists every scope with its meaning and its kinds of tokens', () => {
    const scopes = Object.entries(SCOPES).map(([scope, meaning]) => [
      `\`${scope}\``,
      meaning,
      API_TOKEN_SCOPES.some((other) => other === scope) ? 'yes' : '',
      SESSION_SCOPES.some((other) => other === scope) ? 'yes' : '',
    ]);
    expect(tableOf('| scope | allows | API token | session |')).toEqual(scopes);
  });

  it('the guide lists the rate limits with their numbers', () => {
    const rules: readonly RateRule[] = [
      accounts.SIGN_INS_PER_PAIR,
      accounts.SIGN_INS_PER_ADDRESS,
      accounts.SIGN_INS_PER_EMAIL,
      secondFactor.SECOND_FACTORS_PER_PAIR,
      secondFactor.SECOND_FACTORS_PER_ACCOUNT,
      secondFactor.SECOND_FACTORS_ADDED,
      accounts.CONFIRMATIONS_PER_ACCOUNT,
      accounts.PASSKEY_SIGN_INS_PER_ADDRESS,
      accounts.PASSKEY_CHALLENGES_PER_ADDRESS,
      tokens.API_TOKENS_MADE,
      accounts.REGISTRATIONS_PER_ADDRESS,
      accounts.REGISTRATIONS_PER_EMAIL,
      accounts.RESETS_PER_ADDRESS,
      accounts.RESETS_PER_PAIR,
      accounts.EMAIL_CHANGES_PER_ACCOUNT,
      botCheck.CHALLENGES_PER_ADDRESS,
      botCheck.SOLUTIONS_PER_ADDRESS,
      registration.MISSES_BY_ADDRESS,
      registration.MISSES_BY_ACCOUNT,
      activation.REQUESTS_PER_CALLER,
      activation.REQUESTS_PER_ADDRESS,
      activation.REQUESTS_PER_DEVICE,
      invitations.INVITATIONS_PER_CALLER,
      invitations.INVITATIONS_PER_ADDRESS,
      invitations.INVITATIONS_PER_PERSON,
      devices.MISSES_PER_CALLER,
      devices.MISSES_PER_ADDRESS,
      tickets.NEW_TICKETS,
      tickets.REPLIES,
      recovery.RECOVERY_REQUESTS,
    ];
    const documented = tableOf('| what counts | of | at most |').map(([, , most]) => most);
    expect(documented).toEqual(rules.map(({ points, durationS }) => `${points} in ${durationS / 60} min`));
  });
});
