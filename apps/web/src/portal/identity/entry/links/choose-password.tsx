import { secondFactorRequired } from '@heliograph/client';
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect } from 'wouter';
import { useSubmit } from '../../../../shared/components/form/use-submit.ts';
import { Loading } from '../../../../shared/components/states/loading.tsx';
import { PageTitle } from '../../../../shared/components/title/page-title.tsx';
import { checkPasswordLink, choosePassword } from '../../../session/session.ts';
import { SecondStep } from '../../second-factor/second-step.tsx';
import { EntryError } from '../form/entry-error.tsx';
import { passwordMessage, passwordProblem } from '../form/field-messages.ts';
import { formText } from '../form/form-text.ts';
import { NewPasswordField } from '../form/new-password-field.tsx';
import { rejectFields } from '../form/reject-fields.ts';
import { TermsField } from '../form/terms-field.tsx';
import type { EntryLink } from './entry-link.ts';
import { isLinkExpired, LinkExpired } from './link-expired.tsx';
import { useOneTimeAction } from './use-one-time-action.ts';

interface ChoosePasswordProps {
  readonly link: Extract<EntryLink, { kind: 'reset' | 'set' }>;
  readonly onLeave: () => void;
}

/** Sets a new password, or the first one of an invited person, and signs in. */
export function ChoosePassword({ link, onLeave }: ChoosePasswordProps) {
  const { t } = useTranslation('entry');
  const [isDone, setDone] = useState(false);
  const isFirst = link.kind === 'set';
  // The form shows even when the check fails: its own request reports the state of the link.
  const check = useOneTimeAction(() => checkPasswordLink(link.kind, { token: link.token }));
  const { submit, isPending, fields, error } = useSubmit(
    async (form: FormData) => {
      const password = formText(form, 'password');
      const acceptedTerms = form.has('accepted_terms');
      rejectFields({
        password: passwordProblem(password, t),
        accepted_terms: isFirst && !acceptedTerms ? t('terms.missing') : undefined,
      });
      const { token } = link;
      await choosePassword(link.kind, { token, password, ...(isFirst && { accepted_terms: acceptedTerms }) });
    },
    { onDone: () => setDone(true) },
  );
  if (isDone) {
    const isInvited = link.kind === 'set' && link.siteId !== null;
    return <Redirect to={isInvited ? `/sites/${link.siteId}` : '/sites'} replace />;
  }
  const required = secondFactorRequired(error);
  if (required !== undefined) {
    return (
      <SecondStep pendingToken={required.pending_token} onSignedIn={() => setDone(true)} onLeave={onLeave} />
    );
  }
  if (isLinkExpired(error) || isLinkExpired(check.error))
    return <LinkExpired kind={link.kind} onLeave={onLeave} />;
  if (!check.isDone && check.error === undefined) return <Loading />;
  return (
    <>
      <PageTitle text={isFirst ? t('set.title') : t('reset.title')} focusOnMount />
      <Text>{isFirst ? t('set.text') : t('reset.text')}</Text>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit(new FormData(event.currentTarget));
        }}
      >
        <Stack gap="md">
          <NewPasswordField label={t('fields.newPassword')} error={passwordMessage(fields.password, t)} />
          {isFirst && <TermsField error={fields.accepted_terms} />}
          <EntryError error={error} />
          <Button type="submit" loading={isPending}>
            {t('reset.submit')}
          </Button>
        </Stack>
      </form>
    </>
  );
}
