import type { SecondFactor } from '@heliograph/client';
import { Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import { Announcement } from '../../ui/announcement.tsx';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { AppSetup, PasskeySetup } from './factor-setup.tsx';
import { mayUsePasskeys } from './passkey.ts';
import { signalAcceptedPasskeys } from './passkey-signals.ts';
import { RecoveryCodeList } from './recovery-code-list.tsx';

const secondFactorQuery = queryOptions({
  queryKey: ['account', 'second-factor'],
  queryFn: () => cloud.getSecondFactor(),
});

/** The second factors of the account. */
export function SecondFactorCards() {
  const query = useQuery(secondFactorQuery);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const refresh = (made: readonly string[] | null = null): void => {
    if (made !== null) setCodes(made);
    void queries.invalidateQueries(secondFactorQuery);
  };
  return (
    <QueryResult query={query}>
      {(factor) => (
        <>
          <PasskeysCard factor={factor} onChanged={refresh} />
          <AppCard factor={factor} onChanged={refresh} />
          <CodesCard factor={factor} codes={codes} onChanged={refresh} />
        </>
      )}
    </QueryResult>
  );
}

interface FactorCardProps {
  readonly factor: SecondFactor;
  readonly onChanged: (codes?: readonly string[] | null) => void;
}

function PasskeysCard({ factor: { passkeys }, onChanged }: FactorCardProps) {
  const { t } = useTranslation('security');
  const { t: account } = useTranslation('account');
  const format = useFormat();
  if (passkeys.length === 0 && !mayUsePasskeys()) return null;
  return (
    <Card title={t('passkeys')}>
      {passkeys.length > 0 && (
        <Rows label={t('passkeys')}>
          {passkeys.map(({ id, name, host, created_at: made, last_used_at: used }) => (
            <Row
              key={id}
              title={name}
              facts={[
                host,
                account('life.made', { at: format.date(made) }),
                used !== null && account('life.used', { ago: format.ago(used) }),
              ]}
              actions={
                <ConfirmedButton
                  label={t('remove')}
                  description={`${t('remove')}: ${name}`}
                  title={name}
                  act={() => removePasskey(id)}
                  onDone={onChanged}
                >
                  {t('removeText')}
                </ConfirmedButton>
              }
            />
          ))}
        </Rows>
      )}
      {mayUsePasskeys() && <PasskeySetup cloud={cloud} onAdded={onChanged} />}
    </Card>
  );
}

async function removePasskey(id: number): Promise<void> {
  await withFreshSignIn(() => cloud.removePasskey({ id }));
  // A device that goes on offering the passkey is a nuisance, and no failure of the removal.
  await cloud.getSecondFactor().then(signalAcceptedPasskeys, () => undefined);
}

function AppCard({ factor: { totp }, onChanged }: FactorCardProps) {
  const { t } = useTranslation('security');
  const { t: account } = useTranslation('account');
  const format = useFormat();
  return (
    <Card title={t('app')}>
      {totp === null ? (
        <AppSetup cloud={cloud} onAdded={onChanged} />
      ) : (
        <Rows label={t('app')}>
          <Row
            title={t('app')}
            facts={[
              account('life.made', { at: format.date(totp.created_at) }),
              totp.last_used_at !== null && account('life.used', { ago: format.ago(totp.last_used_at) }),
            ]}
            actions={
              <ConfirmedButton
                label={t('remove')}
                description={`${t('remove')}: ${t('app')}`}
                title={t('app')}
                act={() => withFreshSignIn(() => cloud.removeAuthenticatorApp())}
                onDone={onChanged}
              >
                {t('removeText')}
              </ConfirmedButton>
            }
          />
        </Rows>
      )}
    </Card>
  );
}

interface CodesCardProps extends FactorCardProps {
  /** Those that were made while the page is open. */
  readonly codes: readonly string[];
}

function CodesCard({ factor, codes, onChanged }: CodesCardProps) {
  const { t } = useTranslation('security');
  if (factor.totp === null && factor.passkeys.length === 0) return null;
  return (
    <Card
      title={t('codes')}
      action={
        <ConfirmedButton
          label={t('newCodes')}
          title={t('newCodes')}
          act={async () =>
            onChanged((await withFreshSignIn(() => cloud.replaceRecoveryCodes())).recovery_codes)
          }
        >
          {t('newCodesText')}
        </ConfirmedButton>
      }
    >
      <Text>{t('codesLeft', { left: factor.recovery_codes_left })}</Text>
      {codes.length > 0 && (
        <Announcement>
          <RecoveryCodeList codes={codes} />
        </Announcement>
      )}
    </Card>
  );
}
