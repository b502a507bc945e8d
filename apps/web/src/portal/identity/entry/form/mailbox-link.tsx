import { Anchor, Text } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { usePortalSession } from '../../../session/session.ts';

/** The mailbox of a development system; nothing anywhere else. */
export function MailboxLink() {
  const { t } = useTranslation('entry');
  const { has_mailbox: hasMailbox } = usePortalSession();
  if (!hasMailbox) return null;
  return (
    <Text>
      <Trans
        t={t}
        i18nKey="wait.mailbox"
        components={{ mailbox: <Anchor href="/mailbox" target="_blank" rel="noopener" underline="always" /> }}
      />
    </Text>
  );
}
