import { ApiError, type SiteSummary } from '@heliograph/client';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { nameOrder } from '../../../shared/format/name-order.ts';
import { useFormat } from '../../../shared/format/use-format.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { NameFields } from '../../ui/name-fields.tsx';
import { inviteFieldMessage } from '../site/people/invite-fields.ts';
import { ROLE_HINTS } from '../site/people/role-labels.ts';
import { SITE_LISTS_KEY } from '../site/queries.ts';
import classes from './bulk-bar.module.css';
import { addTag, organizationChoices, removeTag } from './bulk-changes.ts';
import { type Outcomes, runAtEach } from './bulk-run.ts';

/** Of each action the key of its label; an invitation has that of its form. */
const ACTIONS = {
  addTag: 'bulk.addTag',
  removeTag: 'bulk.removeTag',
  move: 'bulk.move',
  invite: 'invite.title',
} as const;
type Action = keyof typeof ACTIONS;
const isAction = (value: string): value is Action => Object.hasOwn(ACTIONS, value);

interface BulkBarProps {
  readonly sites: readonly SiteSummary[];
  readonly outcomes: Outcomes;
  readonly onOutcomes: (outcomes: Outcomes) => void;
  readonly onClear: () => void;
}

/** One change at each of the sites that are selected. */
export function BulkBar({ sites, outcomes, onOutcomes, onClear }: BulkBarProps) {
  const { t } = useTranslation(['fleet', 'members', 'moving']);
  const { number } = useFormat();
  const [action, setAction] = useState<Action>('addTag');
  const ids = sites.map(({ id }) => id);
  const run: Run = async (change, isOfAll) => {
    onOutcomes(new Map());
    try {
      return await runAtEach(ids, change, { onOutcomes, ...(isOfAll !== undefined && { isOfAll }) });
    } finally {
      void queries.invalidateQueries({ queryKey: SITE_LISTS_KEY });
      void queries.invalidateQueries({ queryKey: ['site'] });
    }
  };
  return (
    <section className={classes.bar} aria-label={t('bulk.title')}>
      <div className={classes.head}>
        <strong>{t('bulk.selected', { number: number(sites.length) })}</strong>
        <Button variant="subtle" onClick={onClear}>
          {t('bulk.clear')}
        </Button>
      </div>
      <div className={classes.action}>
        <NativeSelect
          label={t('bulk.action')}
          value={action}
          data={Object.entries(ACTIONS).map(([each, label]) => ({
            value: each,
            label: label === 'invite.title' ? t(label, { ns: 'members' }) : t(label),
          }))}
          onChange={({ currentTarget: { value } }) => {
            if (isAction(value)) setAction(value);
            onOutcomes(new Map());
          }}
        />
        {action === 'move' ? (
          <MoveForm ids={ids} run={run} />
        ) : action === 'invite' ? (
          <InviteForm run={run} />
        ) : (
          <TagForm key={action} sites={sites} change={action === 'addTag' ? addTag : removeTag} run={run} />
        )}
      </div>
      <p className={classes.result} role="status">
        {outcomes.size > 0 && resultOf(outcomes, sites.length)}
      </p>
    </section>
  );

  function resultOf(all: Outcomes, count: number): string {
    const refused = [...all.values()].filter(({ error }) => error !== undefined).length;
    const result = t('bulk.result', { done: number(all.size - refused), refused: number(refused) });
    return all.size < count ? `${number(all.size)} / ${number(count)}` : result;
  }
}

type Run = (
  change: (id: number) => Promise<unknown>,
  isOfAll?: (error: unknown) => boolean,
) => Promise<Outcomes>;

interface TagFormProps {
  readonly sites: readonly SiteSummary[];
  readonly change: (id: number, tag: string) => Promise<void>;
  readonly run: Run;
}

function TagForm({ sites, change, run }: TagFormProps) {
  const { t, i18n } = useTranslation('fleet');
  const known = useId();
  const [tag, setTag] = useState('');
  const { submit, isPending, error } = useSubmit((text: string) => run((id) => change(id, text)), {
    onDone: () => setTag(''),
  });
  return (
    <ActionForm error={error} isPending={isPending} onSubmit={() => tag.trim() !== '' && submit(tag.trim())}>
      <TextInput
        label={t('bulk.tag')}
        autoComplete="off"
        maxLength={40}
        list={known}
        value={tag}
        onChange={(event) => setTag(event.currentTarget.value)}
      />
      <datalist id={known}>
        {[...new Set(sites.flatMap(({ tags }) => tags))].sort(nameOrder(i18n.language)).map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </ActionForm>
  );
}

interface MoveFormProps {
  readonly ids: readonly number[];
  readonly run: Run;
}

function MoveForm({ ids, run }: MoveFormProps) {
  const { t, i18n } = useTranslation(['fleet', 'moving']);
  const choices = useQuery({
    // Below no other key: sites that just moved away have no choices any more.
    queryKey: ['organization-choices', ids],
    queryFn: () => organizationChoices(ids, i18n.language),
  });
  const [chosen, setChosen] = useState('');
  return (
    <QueryResult query={choices}>
      {(organizations) => (
        <>
          <NativeSelect
            label={t('title', { ns: 'moving' })}
            value={chosen}
            data={[
              { value: '', label: t('none', { ns: 'moving' }) },
              ...organizations.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
          <div className={classes.apply}>
            <ConfirmedButton
              label={t('bulk.apply')}
              title={t('bulk.confirmMove')}
              act={() =>
                run((id) =>
                  withFreshSignIn(() =>
                    cloud.moveSite({ id, organization_id: chosen === '' ? null : Number(chosen) }),
                  ),
                )
              }
            >
              {t('bulk.moveText')}
            </ConfirmedButton>
          </div>
        </>
      )}
    </QueryResult>
  );
}

const NO_INVITATION = { email: '', role: 'member', first_name: '', last_name: '' } as const;

function InviteForm({ run }: { readonly run: Run }) {
  const { t } = useTranslation('members');
  const [draft, setDraft] = useState<{
    readonly email: string;
    readonly role: 'admin' | 'member';
    readonly first_name: string;
    readonly last_name: string;
  }>(NO_INVITATION);
  const { submit, isPending, fields, error } = useSubmit(
    () => run((id) => cloud.inviteSiteMember({ id, ...draft, email: draft.email.trim() }), isInvalid),
    { onDone: () => setDraft(NO_INVITATION) },
  );
  const input = (name: 'email' | 'first_name' | 'last_name') => {
    const problem = inviteFieldMessage(fields, name);
    return {
      autoComplete: 'off',
      maxLength: 255,
      value: draft[name],
      onChange: (event: FormEvent<HTMLInputElement>) =>
        setDraft({ ...draft, [name]: event.currentTarget.value }),
      error: problem && t(problem),
    };
  };
  return (
    <ActionForm error={error} isPending={isPending} onSubmit={() => submit(undefined)}>
      <TextInput type="email" label={t('invite.email')} required {...input('email')} />
      <NativeSelect
        label={t('invite.role')}
        description={t(ROLE_HINTS[draft.role])}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={[
          { value: 'member', label: t('roles.member') },
          { value: 'admin', label: t('roles.admin') },
        ]}
        value={draft.role}
        onChange={(event) =>
          setDraft({ ...draft, role: event.currentTarget.value === 'admin' ? 'admin' : 'member' })
        }
      />
      <p className={classes.wide}>{t('invite.namesHint')}</p>
      <NameFields
        first={{ label: t('invite.firstName'), ...input('first_name') }}
        last={{ label: t('invite.lastName'), ...input('last_name') }}
      />
    </ActionForm>
  );
}

interface ActionFormProps {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

function ActionForm({ error, isPending, onSubmit, children }: ActionFormProps) {
  const { t } = useTranslation('fleet');
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <Button className={classes.apply} type="submit" loading={isPending}>
        {t('bulk.apply')}
      </Button>
      <div className={classes.wide}>
        <FormError error={error} />
      </div>
    </form>
  );
}

/** An input that is invalid is so at every site. */
function isInvalid(error: unknown): boolean {
  return error instanceof ApiError && error.status === 422;
}
