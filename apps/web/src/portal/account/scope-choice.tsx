import type { Scope } from '@heliograph/client';
import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SCOPE_GROUPS, SCOPE_LABELS } from '../parts/scope-labels.ts';
import classes from './scope-choice.module.css';

interface ScopeChoiceProps {
  readonly value: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
  readonly error?: string | undefined;
}

/** What a token may do, a box for each. */
export function ScopeChoice({ value, onChange, error }: ScopeChoiceProps) {
  const { t } = useTranslation('account');
  const toggle = (scope: Scope): void =>
    onChange(value.includes(scope) ? value.filter((one) => one !== scope) : [...value, scope]);
  return (
    <fieldset className={classes.choice}>
      <legend className={classes.legend}>{t('tokens.scopes')}</legend>
      {error !== undefined && <p className={classes.error}>{error}</p>}
      <div className={classes.groups}>
        {SCOPE_GROUPS.map(({ title, scopes }) => (
          <fieldset key={title} className={classes.group}>
            <legend className={classes.title}>{t(title)}</legend>
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                label={t(SCOPE_LABELS[scope])}
                description={<code>{scope}</code>}
                checked={value.includes(scope)}
                aria-invalid={error === undefined ? undefined : true}
                onChange={() => toggle(scope)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  );
}
