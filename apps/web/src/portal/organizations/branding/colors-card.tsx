import type { OwnOrganization } from '@heliograph/client';
import { Stack, Text, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { textOn } from '../../brand/brand-variables.ts';
import { SaveRow } from '../organization/save-row.tsx';
import { useChangeOrganization } from '../organization/use-change-organization.ts';
import classes from './branding.module.css';
import { type ColorJudgement, isColor, judgeDark, judgeLight } from './judge-colors.ts';

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
  // Only changed fields are sent: another person may be changing the others.
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
            <ColorPreview
              title={t('colors.onLight')}
              name={name}
              judgement={judgeLight(colors.color1)}
              accent={colors.color2 ?? colors.color_dark2}
            />
            <ColorPreview
              title={t('colors.onDark')}
              name={name}
              judgement={judgeDark(colors.color1, colors.color_dark1)}
              accent={colors.color_dark2 ?? colors.color2}
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

interface ColorFieldProps {
  readonly label: string;
  /** `#rrggbb`, or what of it is typed; null for none. */
  readonly value: string | null;
  readonly error?: string | undefined;
  readonly onChange: (color: string | null) => void;
}

/** The value of the picker without a colour: an input of this type always has one. */
const UNSET = '#808080';

/** A colour, to be typed or picked; empty for none. */
function ColorField({ label, value, error, onChange }: ColorFieldProps) {
  const { t } = useTranslation('organization');
  const isPicked = value !== null && isColor(value);
  return (
    <TextInput
      label={label}
      placeholder={t('colors.none')}
      pattern="#[0-9A-Fa-f]{6}"
      title={t('colors.form')}
      maxLength={7}
      spellCheck={false}
      value={value ?? ''}
      error={error}
      leftSection={
        <input
          className={isPicked ? classes.picker : `${classes.picker} ${classes.unset}`}
          type="color"
          aria-label={t('colors.pick', { color: label })}
          value={isPicked ? value : UNSET}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      }
      leftSectionWidth={52}
      leftSectionPointerEvents="all"
      onChange={({ currentTarget: { value: text } }) => onChange(text === '' ? null : text)}
    />
  );
}

interface ColorPreviewProps {
  readonly title: string;
  /** The organization's. */
  readonly name: string;
  readonly judgement: ColorJudgement;
  /** The second colour; null for none. */
  readonly accent: string | null;
  readonly isDark?: boolean;
}

/** The line at the top of a page. */
function lineOf(accent: string | null) {
  return accent !== null && isColor(accent) ? { boxShadow: `inset 0 3px 0 ${accent}` } : {};
}

/** A piece of a page in a colour, and whether it can be read. */
function ColorPreview({ title, name, judgement, accent, isDark = false }: ColorPreviewProps) {
  const { t } = useTranslation('organization');
  const format = useFormat();
  const { shown, page, contrast, isAdjusted } = judgement;
  const ratio = contrast === null ? '' : format.number(Math.floor(contrast * 10) / 10);
  const verdict = (): string => {
    if (contrast === null) return t('colors.neutral');
    if (!isAdjusted) return t('colors.readable', { ratio });
    return isDark ? t('colors.lightened', { ratio }) : t('colors.darkened', { ratio });
  };
  return (
    <figure className={classes.preview} aria-label={title}>
      <div
        className={classes.sheet}
        style={{ background: page, color: textOn(page), ...lineOf(accent) }}
        aria-hidden="true"
      >
        <strong>{name}</strong>
        <span style={{ color: shown, textDecoration: 'underline' }}>{t('colors.link')}</span>
        <span className={classes.button} style={{ background: shown, color: textOn(shown) }}>
          {t('colors.button')}
        </span>
      </div>
      <figcaption className={classes.verdict}>
        <strong>{title}</strong> <span role="status">{verdict()}</span>
      </figcaption>
    </figure>
  );
}
