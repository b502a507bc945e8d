import type { SiteMember, SiteRole } from '@heliograph/client';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type ChangeEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../../shared/components/form/use-submit.ts';
import { personName } from '../../../../shared/format/person-name.ts';
import { cloud } from '../../../session/cloud.ts';
import { withFreshSignIn } from '../../../session/fresh-sign-in.ts';
import { NameFields } from '../../../ui/name-fields.tsx';
import { useDraft } from '../device/use-draft.ts';
import { useSite } from '../site-context.tsx';
import { inviteFieldMessage } from './invite-fields.ts';
import classes from './people-tab.module.css';
import { ROLE_HINTS } from './role-labels.ts';
import { useChangeMembers } from './use-change-members.ts';

interface Draft {
  readonly email: string;
  readonly role: Extract<SiteRole, 'admin' | 'member'>;
  readonly first_name: string;
  readonly last_name: string;
}

const EMPTY: Draft = { email: '', role: 'member', first_name: '', last_name: '' };

/** Invites a person by email address; a new person gets an account and a mail. */
export function InviteForm() {
  const { t } = useTranslation('members');
  const { site, may } = useSite();
  const change = useChangeMembers();
  const [draft, setDraft, forget] = useDraft('invitation', EMPTY);
  const [invited, setInvited] = useState<SiteMember>();
  const [isTried, setTried] = useState(false);
  const { submit, isPending, fields, error } = useSubmit(
    (invitation: Draft) =>
      withFreshSignIn(() =>
        change(() => cloud.inviteSiteMember({ id: site.id, ...invitation, email: invitation.email.trim() })),
      ),
    {
      onDone: (member) => {
        setInvited(member);
        setTried(false);
        forget();
      },
    },
  );
  const input = (name: keyof Draft) => ({
    value: draft[name],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      setDraft({ ...draft, [name]: event.currentTarget.value }),
  });
  const isEmpty = draft.email.trim() === '';
  const problem = (field: Parameters<typeof inviteFieldMessage>[1]): string | undefined => {
    const found = inviteFieldMessage(fields, field);
    return found && t(found);
  };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setInvited(undefined);
        setTried(true);
        if (isEmpty) event.currentTarget.querySelector('input')?.focus();
        else submit(draft);
      }}
    >
      {error !== undefined && (
        <div className={classes.wide}>
          <FormError error={error} />
        </div>
      )}
      <TextInput
        type="email"
        label={t('invite.email')}
        required
        autoComplete="off"
        {...input('email')}
        error={isEmpty ? isTried && t('invite.emailWrong') : problem('email')}
      />
      <NativeSelect
        label={t('invite.role')}
        description={t(may('grant') ? ROLE_HINTS[draft.role] : 'invite.readersOnly')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={[
          { value: 'member', label: t('roles.member') },
          ...(may('grant') ? [{ value: 'admin', label: t('roles.admin') }] : []),
        ]}
        {...input('role')}
      />
      <p className={`${classes.note} ${classes.wide}`}>{t('invite.namesHint')}</p>
      <NameFields
        first={{ label: t('invite.firstName'), ...input('first_name'), error: problem('first_name') }}
        last={{ label: t('invite.lastName'), ...input('last_name'), error: problem('last_name') }}
      />
      <Button className={classes.send} type="submit" loading={isPending}>
        {t('invite.send')}
      </Button>
      <p className={`${classes.note} ${classes.wide}`} role="status">
        {invited !== undefined && t('invite.done', { name: personName(invited) })}
      </p>
    </form>
  );
}
