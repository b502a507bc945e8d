import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/format/use-format.ts';
import { textOn } from '../../brand/brand-variables.ts';
import classes from './branding.module.css';
import type { ColorJudgement } from './judge-colors.ts';

interface ColorPreviewProps {
  readonly title: string;
  /** The organization's. */
  readonly name: string;
  readonly judgement: ColorJudgement;
  readonly isDark?: boolean;
}

/** A piece of a page in a colour, and whether it can be read. */
export function ColorPreview({ title, name, judgement, isDark = false }: ColorPreviewProps) {
  const { t } = useTranslation('organization');
  const format = useFormat();
  const { shown, page, contrast, isReadable, isAdjusted } = judgement;
  const ratio = contrast === null ? '' : format.number(Math.floor(contrast * 10) / 10);
  const verdict = (): string => {
    if (contrast === null) return t('colors.neutral');
    if (!isReadable) return t('colors.unreadable', { ratio });
    if (!isAdjusted) return t('colors.readable', { ratio });
    return isDark ? t('colors.lightened', { ratio }) : t('colors.darkened', { ratio });
  };
  return (
    <figure className={classes.preview} aria-label={title}>
      <div className={classes.sheet} style={{ background: page, color: textOn(page) }} aria-hidden="true">
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
