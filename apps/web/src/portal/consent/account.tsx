import type { ConsentRequest } from '@heliograph/contracts';
import { Text } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { SwitchAccountButton } from '../entry/to-site/switch-account-button.tsx';
import classes from './consent.module.css';

interface AccountProps {
  readonly user: NonNullable<ConsentRequest['user']>;
  readonly onSignedOut: () => void;
}

/** Who is signed in, and the way to be somebody else. */
export function Account({ user: { name, email }, onSignedOut }: AccountProps) {
  const { t } = useTranslation('consent');
  return (
    <div className={classes.account}>
      <Text style={{ overflowWrap: 'anywhere' }}>
        <Trans
          t={t}
          i18nKey="account"
          values={{ who: name === email ? email : `${name} (${email})` }}
          components={{ strong: <strong /> }}
        />
      </Text>
      <SwitchAccountButton variant="subtle" onSignedOut={onSignedOut} />
    </div>
  );
}
