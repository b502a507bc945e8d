import type { OwnOrganization } from '@heliograph/client';
import { Stack, Text } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useChangeOrganization } from '../use-change-organization.ts';
import classes from './branding.module.css';
import { ColorField } from './color-field.tsx';
import { ColorPreview } from './color-preview.tsx';
import { judgeDark, judgeLight } from './judge-colors.ts';
import { SaveRow } from './save-row.tsx';

const FIELDS = ['color1', 'color_dark1', 'color2', 'color_dark2'] as const;
type Field = (typeof FIELDS)[number];

const LABELS = {
  color1: 'colors.first',
  color_dark1: 'colors.firstDark',
  color2: 'colors.second',
  color_dark2: 'colors.secondDark',
} as const satisfies Record<Field, string>;

/** The colours of the organization, shown as they will be. */
export function ColorsCard({ organization }: { readonly organization: OwnOrganization }) {
  const { t } = useTranslation('organization');
  const { id, name, color1, color_dark1, color2, color_dark2 } = organization;
  // Nothing else is sent: somebody else may be changing the others.
  const [typed, setTyped] = useState<Readonly<Partial<Record<Field, string | null>>>>({});
  const colors = { color1, color_dark1, color2, color_dark2, ...typed };
  const { submit, isPending, isSaved, fields, error } = useChangeOrganization(id, () => setTyped({}));
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    submit(typed);
  };
  return (
    <Card title={t('colors.title')}>
      <Text c="dimmed">{t('colors.text')}</Text>
      <form onSubmit={send}>
        <Stack gap="lg">
          <div className={classes.colors}>
            {FIELDS.map((field) => (
              <ColorField
                key={field}
                label={t(LABELS[field])}
                value={colors[field]}
                error={fields[field]}
                onChange={(color) => setTyped({ ...typed, [field]: color })}
              />
            ))}
          </div>
          <div className={classes.previews}>
            <ColorPreview title={t('colors.onLight')} name={name} judgement={judgeLight(colors.color1)} />
            <ColorPreview
              title={t('colors.onDark')}
              name={name}
              judgement={judgeDark(colors.color1, colors.color_dark1)}
              isDark
            />
          </div>
          <FormError error={error} />
          <SaveRow isPending={isPending} isSaved={isSaved} />
        </Stack>
      </form>
    </Card>
  );
}
